"""The panel of the last report.

Only the registration imports it. It imports the modules at the top of `panels`.
"""

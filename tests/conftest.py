from hypothesis import settings

# Same examples on every run and no time limit per example, so a failure is never a matter of luck
# or of a busy machine. `pytest --hypothesis-profile=default` explores new examples.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")

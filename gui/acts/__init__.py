"""What an animator does with the panel: the parts of `make test-gui`, each checks what it did."""

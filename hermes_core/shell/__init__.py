"""The shell: the only place with a clock, ids and I/O. It fetches, asks the pure rules, and stores; it decides nothing."""

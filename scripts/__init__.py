"""What runs beside the program: benchmarks, the test wiki, generated tables."""

from cli.start import *

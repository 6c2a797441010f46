from cli.main import *

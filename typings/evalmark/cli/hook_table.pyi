from cli.hook_table import *

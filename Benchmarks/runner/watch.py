"""watch.py COMMAND...: runs a command, and prints its duration and peak memory after its output."""
import json
import os
import subprocess
import sys
import time

start = time.monotonic()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
seconds = time.monotonic() - start
unit = 1 if sys.platform == "darwin" else 1024
print("\n" + json.dumps({"status": os.waitstatus_to_exitcode(status), "seconds": seconds,
                         "peak": usage.ru_maxrss * unit / 1e6}))

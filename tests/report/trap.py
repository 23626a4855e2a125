"""A proxy that hands out nothing and writes down who asked for what: python3 trap.py port-file requests-file."""
import os
import socket
import sys

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(32)
with open(sys.argv[1] + ".part", "w", encoding="ascii") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".part", sys.argv[1])
with open(sys.argv[2], "ab", buffering=0) as seen:
    while True:
        caller, _ = listener.accept()
        caller.settimeout(5)
        try:
            seen.write(caller.recv(4096).split(b"\r\n")[0] + b"\n")
            caller.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except OSError:
            pass
        caller.close()

"""A ParaView that listens: pvpython live_client.py port seconds [first]. Prints a line "time balls" for each picture that arrives. As the first of two clients it
holds the run at its first picture, sees that none arrives for a second, waits until the file `second-listens` is there, lets the run go on and leaves soon after."""
import os
import sys
import time

from paraview import live, simple

port, seconds, first = int(sys.argv[1]), float(sys.argv[2]), len(sys.argv) > 3
state = {"updates": 0, "last": time.time(), "closed": False}


def say(text):
    os.write(1, (text + "\n").encode())


def created(link, event):
    live.ExtractCatalystData(link, "balls")
    say("connected")


def updated(link, event):
    source = simple.FindSource("balls")
    data = source.GetClientSideObject().GetOutputDataObject(0) if source else None
    if data is None:
        return
    value = data.GetFieldData().GetArray("TimeValue")
    state["updates"] += 1
    state["last"] = time.time()
    if value:  # nothing is there at the start, not even a time
        say(f"{value.GetValue(0):.9g} {data.GetNumberOfPoints()}")


link = live.ConnectToCatalyst("localhost", port)
link.AddObserver("ConnectionCreatedEvent", created)
link.AddObserver("UpdateEvent", updated)
link.AddObserver("ConnectionClosedEvent", lambda *_: state.update(closed=True))
if first:
    live.PauseCatalyst(link, True)
say("listening")
end, paused = time.time() + seconds, first
while time.time() < end and not state["closed"]:
    live.ProcessServerNotifications()
    if paused and state["updates"] > 0 and time.time() > state["last"] + 1 and os.path.exists("second-listens"):
        say(f"held after {state['updates']} pictures")
        paused = False
        live.PauseCatalyst(link, False)
    if first and not paused and state["updates"] > 4:
        break
    time.sleep(0.02)
os._exit(0)

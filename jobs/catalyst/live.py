"""What a ParaView that listens (insitu.live) may fetch; draws nothing. Contacts and pressures are made for scripts that name them: take a script of your own."""
from paraview import catalyst, simple

for name in ("balls", "walls", "wall_balls", "slabs", "grains"):
    simple.TrivialProducer(registrationName=name)
options = catalyst.Options()

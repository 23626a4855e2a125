"""What one run of one program gives."""
import re


class Result:
    """
    wall       seconds of the time loop, as the program prints it
    cpu        CPU seconds of the time loop, all ranks together
    bytes      peak memory, all ranks together, libraries and start included
    contacts   between balls, each counted once
    kinetic    energy of translation and rotation at the end, J
    floor      force on the floor over the weight (bed)
    out        share of the mass that has left (silo)
    neighbour  share of the loop that the program itself prints for neighbour work
    balls, steps, rebuilds (None if it does not print them)
    """
    floor = out = rebuilds = None
    series = ()   # Granary: (step, kinetic energy), for programs that make fewer steps

    @property
    def wall_rate(self):
        return self.balls * self.steps / self.wall

    @property
    def cpu_rate(self):
        return self.balls * self.steps / self.cpu


def last_table(text, first_column):
    """The last line of numbers under the last header that begins with first_column, as a dictionary."""
    found, header = None, None
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == first_column:
            header = words
        elif header and len(words) == len(header):
            try:
                found = dict(zip(header, (float(w) for w in words)))
            except ValueError:
                pass
    return found


def number(pattern, text):
    """Of the last match."""
    found = re.findall(pattern, text, re.M)
    return float(found[-1]) if found else None

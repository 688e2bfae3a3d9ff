"""Module text.

def not_this():
    pass
"""
import os

LIMIT = 10


@decorator(arg="(")
@other
def run(
    a: int,
    b: str = "def x():",
) -> None:
    '''Runs.

class NotThis:
'''
    def nested():
        return 1

    return nested()


class Outer(Base):
    """It is
    the outer."""

    value = {
        "a": 1,
}

    class Inner:
        def deep(self):
            return "#"

    @property
    def size(self):
        # comment at odd indent
      # here
        return 1

    async def load(self, x=(1,
2)):
        text = f"""
{x}
  def no(): pass
"""
        return text

    def last(self): return 2

if os.name == "nt":
    def windows():
        return 1
else:
    def windows():
        return \
2

def unclosed(a, b:
    return [1, 2

def after():
    return 'it\'s'


x = lambda: 1

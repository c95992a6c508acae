"""Contrast of colours, as the Web Content Accessibility Guidelines 2.2 define it."""

LEAST = 3.0
"""The least contrast of a mark with its background (success criterion 1.4.11)."""

STEPS = 100


def channels(colour: str) -> tuple[float, ...]:
    """Return the red, green and blue of a colour such as `#0072b2`, from 0 to 1."""
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    linear = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in channels(colour)
    )
    return sum(part * one for part, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, background: str, least: float = LEAST) -> str:
    """Return a colour, or the nearest mixture with black or white that stands out enough.

    On a dark background it is mixed with white, on a light one with black.
    """
    far = (1.0,) * 3 if luminance(background) < 0.18 else (0.0,) * 3
    for step in range(STEPS + 1):
        share = step / STEPS
        mixed = [
            (1 - share) * one + share * end for one, end in zip(channels(colour), far, strict=True)
        ]
        text = "#" + "".join(f"{round(255 * one):02x}" for one in mixed)
        if contrast(text, background) >= least:
            break
    return text

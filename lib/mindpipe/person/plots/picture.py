"""Draw lives as a picture with matplotlib, which comes with the extra `plot`."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.person.plots.lives import DrawnLife, clock, spread, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Form = Literal["svg", "png"]
Stroke = Literal["-", "--", "-.", ":"]
FORMS: dict[str, Form] = {".svg": "svg", ".png": "png"}
"""The form of a picture by the end of its name."""
MODES = ("react", "respond", "spontaneous")
MOST_PERSONS = 10
"""More curves in one picture nobody tells apart."""
_MOST_NAMED = 40
_LABEL_GAP = 0.018
"""How far apart the labels of events are, as a share of the width."""
_WIDTH, _PANEL, _FOOT = 10.0, 1.5, 1.4
_SALT = "mindpipe"
_STROKES: tuple[Stroke, ...] = ("-", "--", "-.", ":")


def picture(lives: Sequence[DrawnLife], form: Form) -> bytes:
    """Return a picture: a panel for each readout, one curve for each person.

    Sleep is shaded, each event is a line through all panels, each thought a tick below them. The
    same lives give the same octets with the same matplotlib, whatever its settings file says.

    Raises:
        UnavailableError: matplotlib is not installed.
        UsageError: there are more persons than one picture can show.
    """
    if len(lives) > MOST_PERSONS:
        raise UsageError(f"{len(lives)} persons are too many for one picture: at most 10.")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise UnavailableError(
            "pictures need the extra plot: pip install '.[plot]' in mindpipe's folder; "
            "without --output there are sparklines."
        ) from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": _SALT, "svg.fonttype": "none"})
        readouts = list(lives[0].curves)
        figure = Figure(figsize=(_WIDTH, _PANEL * len(readouts) + _FOOT), layout="constrained")
        _fill(figure, lives, readouts)
        stream = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(stream, format=form, dpi=120, metadata=metadata)
    return stream.getvalue()


def _fill(figure: "Figure", lives: Sequence[DrawnLife], readouts: Sequence[str]) -> None:
    """Draw the panels of all readouts and, below, that of the thoughts."""
    heights = [_PANEL] * len(readouts) + [0.5]
    panels = figure.subplots(
        len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for panel, readout in zip(panels, readouts, strict=False):
        for number, life in enumerate(lives):
            (curve,) = panel.plot(
                life.t_us,
                life.curves[readout],
                color=f"C{number}",
                linewidth=1.2,
                linestyle=_stroke(number),
            )
            curve.set_gid(f"{readout}:{life.person}")
        panel.set_ylabel(readout, fontsize=7)
        panel.tick_params(labelsize=7)
    _thoughts(panels[-1], lives)
    for panel in panels:
        _shade(panel, lives)
        _events(panel, lives)
    _name_events(panels[0], lives)
    _time_axis(panels[-1], lives)
    _title(figure, lives)


def _stroke(number: int) -> Stroke:
    """Return how the curves of a person are stroked, so that one shows through another's."""
    return _STROKES[number % len(_STROKES)]


def _shade(panel: "Axes", lives: Sequence[DrawnLife]) -> None:
    """Shade the sleep of each person; where several sleep it is darker."""
    for life in lives:
        for number, (began, ended) in enumerate(life.nights()):
            night = panel.axvspan(began, ended, color="0.5", alpha=0.25 / len(lives), linewidth=0)
            night.set_gid(f"sleep:{life.person}:{number}")


def _events(panel: "Axes", lives: Sequence[DrawnLife]) -> None:
    """Draw a line at each event."""
    for number, life in enumerate(lives):
        for place, mark in enumerate(life.events):
            line = panel.axvline(mark.t_us, color=f"C{number}", linewidth=0.7, linestyle=":")
            line.set_gid(f"event:{life.person}:{place}")


def _name_events(panel: "Axes", lives: Sequence[DrawnLife]) -> None:
    """Write above the first panel what each event is, unless there are too many to be read."""
    marks = sorted({mark for life in lives for mark in life.events})
    if len(marks) > _MOST_NAMED:
        return
    first = min(life.t_us[0] for life in lives)
    span_us = max(1, max(life.t_us[-1] for life in lives) - first)
    shares = [(mark.t_us - first) / span_us for mark in marks]
    for mark, share in zip(marks, spread(shares, _LABEL_GAP, 1.0), strict=True):
        panel.annotate(
            f"{clock(mark.t_us)} {mark.word}",
            (mark.t_us, 1.0),
            xytext=(first + share * span_us, 1.08),
            xycoords=("data", "axes fraction"),
            textcoords=("data", "axes fraction"),
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "0.5"},
            rotation=60,
            fontsize=6,
        )


def _thoughts(panel: "Axes", lives: Sequence[DrawnLife]) -> None:
    """Draw a tick for each thought, one row for each mode, in the colour of who thinks."""
    for number, life in enumerate(lives):
        for row, mode in enumerate(MODES):
            instants = [mark.t_us for mark in life.thoughts if mark.word == mode]
            if instants:
                drawn = panel.vlines(
                    instants, row - 0.4, row + 0.4, colors=f"C{number}", linewidth=0.5
                )
                drawn.set_gid(f"{mode}:{life.person}")
    panel.set_yticks(range(len(MODES)), MODES, fontsize=6)
    panel.set_ylim(-0.6, len(MODES) - 0.4)


def _time_axis(panel: "Axes", lives: Sequence[DrawnLife]) -> None:
    """Mark hours or days below the last panel."""
    first = min(life.t_us[0] for life in lives)
    last = max(life.t_us[-1] for life in lives)
    marks = ticks(first, last)
    panel.set_xticks([mark.t_us for mark in marks], [mark.label for mark in marks], fontsize=7)
    panel.set_xlim(first, max(last, first + 1))


def _title(figure: "Figure", lives: Sequence[DrawnLife]) -> None:
    """Write who is drawn, each name beside the colour and the stroke of its curves."""
    if len(lives) == 1:
        figure.suptitle(lives[0].person, fontsize=9)
        return
    from matplotlib.lines import Line2D

    keys = [
        Line2D([], [], color=f"C{number}", linestyle=_stroke(number), label=life.person)
        for number, life in enumerate(lives)
    ]
    figure.legend(handles=keys, loc="outside upper right", ncols=len(lives), fontsize=7)

/** Load curves as SVG, legible on light and dark pages. */

export interface Chart {
  readonly title: string
  /** The labels of the horizontal axis, at positions from 0 to 1. */
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  /** Marked events, such as an outage, at positions from 0 to 1. */
  readonly marks: readonly { readonly from: number; readonly to: number; readonly label: string }[]
  /** Requests per second, at evenly spaced times. */
  readonly curves: readonly { readonly name: string; readonly values: readonly number[] }[]
}

const WIDTH = 800
const HEIGHT = 300
const PLOT = { left: 58, right: 774, top: 44, bottom: 262 }
const STYLE = `
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  text { fill: #57606a; } .title { fill: #1f2328; font-size: 14px; font-weight: 600; }
  .grid { stroke: #d8dee4; } .mark { fill: #8c959f; fill-opacity: .22; }
  .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  .c0 { stroke: #9a6700; } .c1 { stroke: #6e7781; stroke-width: 1; }
  text.c0 { fill: #9a6700; stroke: none; } text.c1 { fill: #57606a; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .title { fill: #f0f6fc; } .grid { stroke: #3d444d; }
    .c0 { stroke: #e0b560; } .c1 { stroke: #9198a1; } text.c0 { fill: #e0b560; } text.c1 { fill: #9198a1; }
  }
`

/** Draws the chart. Its vertical axis is logarithmic, because a peak can be hundreds of times the normal load. */
export function draw({ title, ticks, marks, curves }: Chart): string {
  const most = Math.max(10, ...curves.flatMap(({ values }) => values))
  const decades = Math.ceil(Math.log10(most))
  const x = (at: number) => round(PLOT.left + at * (PLOT.right - PLOT.left))
  // The range below one request per second is only half a decade high, because differences in it don't matter.
  const height = (value: number) => (value < 1 ? value / 2 : 0.5 + Math.log10(value)) / (decades + 0.5)
  const y = (value: number) => round(PLOT.bottom - height(value) * (PLOT.bottom - PLOT.top))
  const level = (value: number) => [
    `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(value)}" y2="${y(value)}"/>`,
    `<text x="${PLOT.left - 6}" y="${y(value) + 4}" text-anchor="end">${value.toLocaleString('en')}</text>`,
  ]
  const curve = ({ values }: Chart['curves'][number], index: number) => {
    const points = values.map((value, place) => `${x((place + 0.5) / values.length)},${y(value)}`)
    return `<polyline class="curve c${index}" points="${points.join(' ')}"/>`
  }
  const lines = [
    `<text class="title" x="${PLOT.left}" y="18">${title}</text>`,
    ...curves.map(
      ({ name }, index) => `<text class="c${index}" x="${PLOT.left + index * 260}" y="36">— ${name}</text>`,
    ),
    ...marks.flatMap(({ from, to, label }) => [
      `<rect class="mark" x="${x(from)}" y="${PLOT.top}" width="${round(x(to) - x(from))}" height="${PLOT.bottom - PLOT.top}"/>`,
      `<text x="${x((from + to) / 2)}" y="${PLOT.top + 12}" text-anchor="middle">${label}</text>`,
    ]),
    ...[0, ...Array.from({ length: decades + 1 }, (_, power) => 10 ** power)].flatMap(level),
    ...ticks.map(({ at, label }) => `<text x="${x(at)}" y="${PLOT.bottom + 18}" text-anchor="middle">${label}</text>`),
    ...[...curves.entries()].reverse().map(([index, each]) => curve(each, index)),
    `<text x="${PLOT.right}" y="${HEIGHT - 4}" text-anchor="end">requests per second</text>`,
  ]
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`
  return `${head}\n<style>${STYLE}</style>\n${lines.join('\n')}\n</svg>\n`
}

const round = (value: number): number => Math.round(value * 10) / 10

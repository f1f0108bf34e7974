import { between, mixed } from './random.ts'

type Point = readonly [x: number, y: number]
type Stroke = readonly Point[]

const HEIGHT = 90
/** Room of one digit. */
const ROOM = 44
const EDGE = 14

const SIX: Stroke[] = [
  [
    [8, 0.8],
    [4.5, 2.5],
    [1.8, 6.5],
    [1.2, 11],
    [2.6, 15],
    [5.4, 16],
    [8.4, 14],
    [8.6, 10.6],
    [6.4, 8],
    [3.6, 8.4],
    [1.4, 11],
  ],
]

/** Strokes of each digit on a field of 10 by 16; curves go through the points. */
const DIGITS: readonly (readonly Stroke[])[] = [
  [
    [
      [5, 0],
      [1.8, 2.6],
      [1, 8],
      [1.8, 13.4],
      [5, 16],
      [8.2, 13.4],
      [9, 8],
      [8.2, 2.6],
      [5, 0],
    ],
  ],
  [
    [
      [1.8, 3.4],
      [5.5, 0],
    ],
    [
      [5.5, 0],
      [5.5, 16],
    ],
    [
      [2.5, 16],
      [8.5, 16],
    ],
  ],
  [
    [
      [1, 4],
      [3, 0.8],
      [6, 0.3],
      [8.6, 2.5],
      [8, 6],
      [5, 10.5],
      [1, 16],
    ],
    [
      [1, 16],
      [9.2, 16],
    ],
  ],
  [
    [
      [1.2, 2.5],
      [4, 0.2],
      [7.6, 1.2],
      [8, 4.8],
      [6, 7.3],
      [3.6, 7.6],
    ],
    [
      [3.6, 7.6],
      [7.5, 8.6],
      [8.8, 11.8],
      [7, 15],
      [4, 16],
      [1, 13.8],
    ],
  ],
  [
    [
      [6.5, 0],
      [1, 11],
    ],
    [
      [1, 11],
      [9.6, 11],
    ],
    [
      [6.8, 6],
      [6.8, 16],
    ],
  ],
  [
    [
      [8.5, 0],
      [2, 0],
    ],
    [
      [2, 0],
      [1.6, 7],
    ],
    [
      [1.6, 7],
      [5, 5.8],
      [8.4, 8],
      [8.6, 12],
      [6, 15.6],
      [3, 15.9],
      [0.9, 13.8],
    ],
  ],
  SIX,
  [
    [
      [1, 0],
      [9.2, 0],
    ],
    [
      [9.2, 0],
      [6, 7],
      [4.2, 16],
    ],
  ],
  [
    [
      [5, 7.4],
      [2, 5.4],
      [2, 2],
      [5, 0],
      [8, 2],
      [8, 5.4],
      [5, 7.4],
      [1.6, 9.8],
      [1.2, 13.4],
      [5, 16],
      [8.8, 13.4],
      [8.4, 9.8],
      [5, 7.4],
    ],
  ],
  SIX.map((stroke) => stroke.map(([x, y]): Point => [10 - x, 16 - y])),
]

/** Points close to each other on a curve through the given ones (Catmull and Rom). */
function curve(stroke: Stroke): Point[] {
  const at = (index: number) => stroke[Math.min(Math.max(index, 0), stroke.length - 1)] as Point
  const points: Point[] = [at(0)]
  for (let index = 0; index + 1 < stroke.length; index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    const steps = Math.max(2, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 1.6))
    for (let step = 1; step <= steps; step++) {
      const t = step / steps
      const along = (axis: 0 | 1) =>
        0.5 *
        (2 * from[axis] +
          (to[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * from[axis] + 4 * to[axis] - after[axis]) * t * t +
          (3 * from[axis] - before[axis] - 3 * to[axis] + after[axis]) * t * t * t)
      points.push([along(0), along(1)])
    }
  }
  return points
}

/** Moves a digit to its place: turned, leaning, larger or smaller. */
function placed(digit: number, place: number): Point[][] {
  const [turn, lean] = [between(-0.3, 0.3), between(-0.25, 0.25)]
  const [wide, high] = [between(2.5, 3.2), between(2.7, 3.5)]
  const [left, top] = [EDGE + ROOM * (place + 0.5) + between(-4, 4), HEIGHT / 2 + between(-9, 9)]
  const strokes = (DIGITS[digit] as readonly Stroke[]).map(curve)
  return strokes.map((stroke) =>
    stroke.map(([x, y]): Point => {
      const down = (y - 8) * high
      const across = (x - 5) * wide + lean * down
      return [left + across * Math.cos(turn) - down * Math.sin(turn), top + across * Math.sin(turn) + down * Math.cos(turn)]
    }),
  )
}

/** A line from edge to edge that means nothing. */
const stray = (width: number): Point[] =>
  curve(Array.from({ length: 6 }, (_, index): Point => [(width / 5) * index, between(8, HEIGHT - 8)])).filter((_, index) => index % 3 === 0)

/**
 * The digits as an SVG. All strokes are cut into short ones and mixed with strokes that mean nothing, in one path: the markup tells nothing that the
 * picture does not.
 */
export function draw(digits: string): string {
  const width = EDGE * 2 + ROOM * digits.length
  const [tall, slow, start, other] = [between(2, 4), between(0.02, 0.04), between(0, 6), between(0, 6)]
  const lines = [...[...digits].flatMap((digit, place) => placed(Number(digit), place)), stray(width)].map((line) =>
    line.map(([x, y]) => [x + tall * Math.sin(y * slow * 2 + other), y + tall * Math.sin(x * slow + start)] as const),
  )
  const write = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
  const pieces = lines.flatMap((line) => line.slice(1).map((point, index) => mixed([line[index] as Point, point])))
  const specks = Array.from({ length: 24 }, () => {
    const [x, y] = [between(0, width), between(0, HEIGHT)]
    return [[x, y] as const, [x + between(-6, 6), y + between(-6, 6)] as const]
  })
  const path = mixed([...pieces, ...specks]).map(([from, to]) => `M${write(from as Point)}L${write(to as Point)}`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}">` +
    `<rect width="100%" height="100%" fill="#fff"/><path d="${path.join('')}" fill="none" stroke="#274060" stroke-width="3" stroke-linecap="round"/></svg>`
  )
}

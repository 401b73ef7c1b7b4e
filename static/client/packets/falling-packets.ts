/**
 * Where packets fall, or lie still for those who want no motion. Pure: the stage animates what is
 * laid out here. Their number is bounded, and all that moves is a transform, so that a cheap phone
 * keeps up.
 */

/**
 * `x` and `y` are shares of the stage, of the packet's centre; `y` counts where nothing moves.
 * `size` is 1 for the nearest. It tilts from `-tilt` to `tilt` degrees while it falls. From the top
 * to the bottom it takes `seconds`, of which `ahead` lie behind it when it appears: a sky that
 * opens is full at once, and as even as one that stands still.
 */
export type Drop = { x: number; y: number; size: number; tilt: number; seconds: number; ahead: number }

const fewest = 6
const most = 18

/** The area for each packet, in square pixels. */
const areaEach = 15_000

/** Far ones are smaller and take longer, which makes a sky deep. */
const nearest = { size: 1, seconds: 5.2 }
const depths = [nearest, { size: 0.82, seconds: 6.6 }, { size: 0.66, seconds: 8.4 }]

/** No packet's centre is nearer to a side, as a share of the width. */
const edge = 0.08

/** A packet keeps this share of its cell free, so that none covers another where they lie still. */
const margin = 0.3

/** How many packets a stage of that size, in pixels, holds at once. */
export function dropCount(width: number, height: number): number {
  return Math.min(most, Math.max(fewest, Math.round((width * height) / areaEach)))
}

/**
 * `count` packets over a stage, one in each cell of a grid. `aspect` is its width over its height.
 */
export function scatter(count: number, aspect: number, random: () => number): Drop[] {
  const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt(count * aspect))))
  const rows = Math.ceil(count / columns)
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns)
    const inRow = row === rows - 1 ? count - columns * (rows - 1) : columns
    // Shifted by the row: else every column would have packets of one size.
    const { size, seconds } = depths[(i + row) % depths.length] ?? nearest
    const x = within(i % columns, inRow, random())
    const y = within(row, rows, random())
    return { x, y, size, seconds, ahead: y * seconds, tilt: tiltOf(random()) }
  })
}

/** Where a packet that reached the bottom falls next. */
export function fallAgain(random: () => number): Pick<Drop, 'x' | 'tilt'> {
  return { x: edge + random() * (1 - 2 * edge), tilt: tiltOf(random()) }
}

function tiltOf(random: number): number {
  return 8 + random * 20
}

function within(cell: number, cells: number, random: number): number {
  return (cell + margin + random * (1 - 2 * margin)) / cells
}

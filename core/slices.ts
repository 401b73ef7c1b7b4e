/** `items` in lists of at most `size`, in their order. */
export function slicesOf<T>(items: readonly T[], size: number): T[][] {
  const slices = Math.ceil(items.length / size)
  return Array.from({ length: slices }, (_, index) => items.slice(index * size, (index + 1) * size))
}

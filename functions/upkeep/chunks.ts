/** `items` in lists of at most `size`, in their order. */
export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  const chunks = Math.ceil(items.length / size)
  return Array.from({ length: chunks }, (_, index) => items.slice(index * size, (index + 1) * size))
}

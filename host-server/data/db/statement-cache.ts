/** Keeps the `size` values used last; the one that falls out is handed to `drop`. */
export function lru<T>(size: number, make: (key: string) => T, drop: (value: T) => void = () => {}): (key: string) => T {
  const kept = new Map<string, T>()
  return (key) => {
    const found = kept.get(key)
    if (found !== undefined) {
      kept.delete(key)
      kept.set(key, found)
      return found
    }
    const made = make(key)
    kept.set(key, made)
    if (kept.size > size) {
      const [oldest, value] = kept.entries().next().value as [string, T]
      kept.delete(oldest)
      drop(value)
    }
    return made
  }
}

/** A queue of events, and the caller that waits for the next one. */
export const createLine = <Item>() => {
  const items: Item[] = []
  const waiting: ((item: Item) => void)[] = []
  return {
    push: (item: Item): void => {
      const next = waiting.shift()
      if (next) next(item)
      else items.push(item)
    },
    /** The next one, which may be there already. */
    next: (): Promise<Item> =>
      new Promise((resolve) => {
        const item = items.shift()
        if (item) resolve(item)
        else waiting.push(resolve)
      }),
  }
}

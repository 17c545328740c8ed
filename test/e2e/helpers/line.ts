import { limits } from '../../limits.js'

/** A queue of events, and the callers that wait for the next ones. */
export const createLine = <Item>() => {
  const items: Item[] = []
  const waiting = new Set<(item: Item) => void>()
  return {
    push: (item: Item): void => {
      const [next] = waiting
      if (next) next(item)
      else items.push(item)
    },
    /**
     * Returns the next one, which may be there already.
     *
     * @throws an Error if none comes.
     */
    next: (): Promise<Item> =>
      new Promise((resolve, reject) => {
        const item = items.shift()
        if (item) return resolve(item)
        const take = (given: Item): void => {
          waiting.delete(take)
          clearTimeout(timer)
          resolve(given)
        }
        const timer = setTimeout(() => {
          waiting.delete(take)
          reject(new Error('the wallet was not asked in time'))
        }, limits.conditionMs)
        waiting.add(take)
      }),
  }
}

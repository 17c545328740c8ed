/** A task that is due at a time of the simulation. */
type Due = { atMs: number; order: number; run(): void }

const isBefore = (one: Due, other: Due): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

/**
 * The time of one simulated world. It passes from one task to the next, and stands still while a task and all the
 * promises that follow from it run. So the same tasks always happen in the same order.
 */
export class Timeline {
  nowMs: number
  private readonly heap: Due[] = []
  private order = 0

  constructor(startMs: number) {
    this.nowMs = startMs
  }

  at(atMs: number, run: () => void): void {
    const due = { atMs: Math.max(atMs, this.nowMs), order: this.order++, run }
    const { heap } = this
    let at = heap.push(due) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const other = heap[parent]
      if (!other || isBefore(other, due)) break
      heap[at] = other
      at = parent
    }
    heap[at] = due
  }

  after(ms: number, run: () => void): void {
    this.at(this.nowMs + ms, run)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  private takeFirst(): Due | undefined {
    const { heap } = this
    const [first] = heap
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      const child = right && left && isBefore(right, left) ? right : left
      if (!child || isBefore(last, child)) break
      heap[at] = child
      at = child === left ? 2 * at + 1 : 2 * at + 2
    }
    heap[at] = last
    return first
  }

  /**
   * Runs the tasks until one of them is due after a time, or nothing is left.
   *
   * @param isOver - Ends the run early, when it becomes true.
   */
  async run(endMs: number, isOver: () => boolean): Promise<void> {
    for (let first = this.heap[0]; first && first.atMs <= endMs && !isOver(); first = this.heap[0]) {
      const due = this.takeFirst() ?? first
      this.nowMs = due.atMs
      due.run()
      // All promises that the task has resolved run before the next macrotask.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!isOver()) this.nowMs = endMs
  }
}

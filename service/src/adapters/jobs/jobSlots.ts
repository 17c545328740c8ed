/**
 * The slots of a queue, which works on as many jobs at once. They are passed to what its jobs call, because an
 * `AsyncLocalStorage` would slow down every promise of the process.
 */
export type JobSlots = {
  /** Frees a slot for another job. */
  leave(): void
  /** Waits for a free slot, in the order in which jobs ask for one. */
  enter(): Promise<void>
}

/** The slots as the worker of the queue uses them. A job that returns to one goes before the jobs that have not started. */
export type QueueSlots = JobSlots & {
  /** Takes all slots that are free. */
  takeFree(): number
  /** Gives back slots that no job was found for. */
  giveBack(number: number): void
  /** Called when a job leaves its slot. */
  onLeave(): void
}

/** Creates the slots of a queue. */
export const createSlots = (count: number): QueueSlots => {
  const returning: (() => void)[] = []
  let free = count
  const resumeNext = (): void => {
    while (free > 0) {
      const resume = returning.shift()
      if (!resume) return
      free--
      resume()
    }
  }
  const slots: QueueSlots = {
    takeFree: () => {
      const number = free
      free = 0
      return number
    },
    giveBack: (number) => {
      free += number
      resumeNext()
    },
    leave: () => {
      slots.giveBack(1)
      slots.onLeave()
    },
    enter: () =>
      new Promise((resolve) => {
        returning.push(resolve)
        resumeNext()
      }),
    onLeave: () => {},
  }
  return slots
}

/**
 * Runs a task of a job while other jobs use its slot. The job continues once it has a slot again. A job runs one such
 * task at a time.
 */
export const runOutsideSlot = async <Result>(
  slots: JobSlots,
  task: () => Promise<Result>,
): Promise<Result> => {
  slots.leave()
  try {
    return await task()
  } finally {
    await slots.enter()
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** The slot of a worker that a job occupies. Each queue has as many as it works on jobs at once. */
export type JobSlot = {
  /** Frees the slot for another job. */
  leave(): void
  /** Waits for a free slot, in the order in which jobs ask for one. */
  enter(): Promise<void>
}

/** How many tasks a job runs outside its slot at the moment. */
type OccupiedSlot = JobSlot & { outsideCount: number }

// Chains are shared by all jobs, so a chain cannot be handed the slot of the job that calls it.
const currentSlot = new AsyncLocalStorage<OccupiedSlot>()

/** Runs a job in a slot that it has entered. */
export const runInSlot = <Result>(slot: JobSlot, job: () => Promise<Result>): Promise<Result> =>
  currentSlot.run({ ...slot, outsideCount: 0 }, job)

/**
 * Runs a task while other jobs use the slot of the job that asks for it. The job continues once it has a slot again.
 * Outside of a job, runs the task only.
 */
export const runOutsideSlot = async <Result>(task: () => Promise<Result>): Promise<Result> => {
  const slot = currentSlot.getStore()
  if (!slot) return task()
  if (slot.outsideCount++ === 0) slot.leave()
  try {
    return await task()
  } finally {
    // A job that runs several tasks side by side needs one slot for what follows all of them.
    if (--slot.outsideCount === 0) await slot.enter()
  }
}

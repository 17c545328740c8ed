import { jobs } from '../../../service/src/base/db/tables/index.js'
import type { Row } from './parser.js'
import type { ServiceProcess } from './serviceProcess.js'
import type { World } from './world.js'

/** How long a job belongs to a process that no longer says so. */
const keptMs = 60_000
const minDelayMs = 3_000
const maxDelayMs = 60_000

/** The queue of jobs: each runs at least once, and again until a run of it ends well. */
export class Queue {
  /** How many jobs run now. */
  running = 0
  private count = 0
  private readonly done = new Set<string>()
  /** The run that each job belongs to. Only that run can end the job. */
  private readonly claims = new Map<string, number>()
  private readonly failures = new Map<string, number>()

  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  nextId(): string {
    this.count += 1
    return `job-${this.count}`
  }

  /** Lists the jobs that are still to do. */
  list(): Row[] {
    return this.world.storage.rows(jobs)
  }

  /** Plans a job that a transaction has committed. */
  plan(job: Row): void {
    const startAfter = job.startAfter instanceof Date ? job.startAfter.getTime() : 0
    const { dice, timeline } = this.world
    timeline.at(Math.max(startAfter, timeline.nowMs + dice.between('fetch ms', 5, 900)), () =>
      this.start(job),
    )
  }

  private start(job: Row): void {
    const { world } = this
    const process = world.findProcess()
    if (!process) {
      world.timeline.after(1_000, () => this.start(job))
      return
    }
    void this.run(job, process)
    if (!world.dice.fault('a job runs twice', 0.02)) return
    const other = world.findProcess()
    if (!other) return
    // Runs that begin together decide the same thing at once.
    const latestMs = world.dice.between('runs begin together', 0, 1) === 1 ? 60 : 2_000
    world.timeline.after(world.dice.between('second run ms', 0, latestMs), () => void this.run(job, other))
    if (!world.dice.fault('the first run ends early', 0.3)) return
    world.timeline.after(world.dice.between('first run ms', 0, 400), () => {
      if (process.isAlive && process !== other) world.endProcess(process)
    })
  }

  private async run(job: Row, process: ServiceProcess): Promise<void> {
    const { world } = this
    const id = String(job.id)
    if (this.done.has(id)) return
    const claim = (this.claims.get(id) ?? 0) + 1
    this.claims.set(id, claim)
    this.running += 1
    world.note(() => `${process.name} runs ${job.name} ${JSON.stringify(job.data)}`)
    try {
      await process.runJob(job)
      if (this.claims.get(id) !== claim) return
      this.done.add(id)
      world.storage.remove(jobs, id)
    } catch (error) {
      world.note(() => `${job.name} ${JSON.stringify(job.data)} failed: ${error}`)
      world.invariants.onFailure(String(job.name), error)
      if (this.claims.get(id) !== claim) return
      const failures = (this.failures.get(id) ?? 0) + 1
      this.failures.set(id, failures)
      const grownMs = Math.min(minDelayMs * 2 ** Math.min(failures - 1, 10), maxDelayMs)
      world.timeline.after(process.isAlive ? grownMs : keptMs, () => this.start(job))
    } finally {
      this.running -= 1
    }
  }
}

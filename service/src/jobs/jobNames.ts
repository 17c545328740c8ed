import type { JobName } from './port.js'

const names: Readonly<Record<JobName, true>> = {
  'orders.deliver': true,
  'orders.expire': true,
  'orders.refund': true,
  'orders.sweep': true,
  'payments.look': true,
}

/** Every kind of job there is; adding one to `JobData` without adding it here does not compile. */
export const jobNames = Object.keys(names) as readonly JobName[]

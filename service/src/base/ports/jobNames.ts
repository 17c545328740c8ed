import type { JobName } from './jobs.js'

const names: Readonly<Record<JobName, true>> = {
  'authorizations.settle': true,
  'collections.create': true,
  'collections.update': true,
  'console.alert': true,
  'console.code': true,
  'console.link': true,
  'files.pin': true,
  'mails.send': true,
  'nfts.burn': true,
  'nfts.gather': true,
  'nfts.mint': true,
  'nfts.update': true,
  'orders.adoptRefund': true,
  'orders.deliver': true,
  'orders.expire': true,
  'orders.refund': true,
  'orders.returnParts': true,
  'orders.sweep': true,
  'payments.look': true,
  'transactions.expire': true,
  'transactions.send': true,
  'unattributed.send': true,
  'webhooks.send': true,
}

/** All kinds of job. Adding one to `JobData` without adding it here does not compile. */
export const jobNames = Object.keys(names) as readonly JobName[]

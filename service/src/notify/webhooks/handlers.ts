import type { JobHandler } from '#base/ports/jobs.js'
import { type SendDeps, sendWebhook } from './sendWebhook.js'

/** Creates the handler of the jobs that send webhooks. */
export const createWebhookHandlers = (deps: SendDeps): { 'webhooks.send': JobHandler<'webhooks.send'> } => ({
  'webhooks.send': sendWebhook(deps),
})

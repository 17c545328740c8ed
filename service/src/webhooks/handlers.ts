import type { JobHandler } from '../jobs/port.js'
import { type SendDeps, sendWebhook } from './sendWebhook.js'

/** Makes the handler of the jobs that tell webhook endpoints. */
export const createWebhookHandlers = (deps: SendDeps): { 'webhooks.send': JobHandler<'webhooks.send'> } => ({
  'webhooks.send': sendWebhook(deps),
})

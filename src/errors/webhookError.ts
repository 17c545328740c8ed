import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of a refused webhook. No message contains a secret, a signature, or any part of the body. */
export const webhookErrors: ErrorTable<'webhook'> = {
  'webhook.headers-missing': {
    message: ({ missing }) =>
      `The request has no ${missing.join(', ')}, so its sender cannot be verified. Check that no proxy removes these headers.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.timestamp-invalid': {
    message: ({ reason }) =>
      `The time at which the webhook was sent is ${reason}, so it may be a replay. Check the clock of this server.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.signature-invalid': {
    message: () =>
      'No signature of the webhook was made with this secret from these bytes. Check that the secret is this endpoint’s and that the body is handed over as it came.',
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.body-invalid': {
    message: ({ reason }) =>
      `The body of the webhook is not an event that this version understands: ${reason}.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.body-too-large': {
    message: ({ limitBytes }) =>
      `The body of the webhook is larger than ${limitBytes} bytes, which no event is. It was not read to its end.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.secret-invalid': {
    message: ({ reason }) =>
      `The signing secret cannot be used: ${reason}. Give verifyWebhook the secret of this endpoint, whsec_ and all.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `webhook` area. */
export const webhookError = createErrors(webhookErrors)

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
      `The webhook timestamp is ${reason}, so the request may be a replay. Check the clock of this server.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.signature-invalid': {
    message: () =>
      "The webhook signature does not match. Use this endpoint's secret and the raw, unparsed body.",
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.body-invalid': {
    message: ({ reason }) => `The webhook body is not an event that this version understands: ${reason}.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.body-too-large': {
    message: ({ limitBytes }) =>
      `The webhook body is larger than the limit of ${limitBytes} bytes, so it was not read to the end.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'webhook.secret-invalid': {
    message: ({ reason }) =>
      `Invalid signing secret: ${reason}. Pass verifyWebhook the secret of this endpoint, including whsec_.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `webhook` area. */
export const webhookError = createErrors(webhookErrors)

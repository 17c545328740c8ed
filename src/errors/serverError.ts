import type { ErrorCodeOf, ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error codes of a shop's own server. */
export type ServerErrorCode =
  | 'config.key-invalid'
  | 'config.in-browser'
  | 'config.provider-in-server-component'
  | 'config.origin-invalid'
  | 'config.user-invalid'
  | 'config.function-slow'
  | ErrorCodeOf<'cart'>

/** The errors of a shop's own server. The table is separate, so that no page loads it. */
export const serverErrors: Pick<ErrorTable<'config' | 'cart'>, ServerErrorCode> = {
  'config.key-invalid': {
    message: ({ reason }) =>
      `Invalid server key: ${reason}. Set apiKey to the shop's server key (sk_…), from the environment of the server.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.in-browser': {
    message: ({ name }) =>
      `${name} was called in a browser, where everyone can read the server key. Call it only on the server, never in a client component. See kassa/errors/config.in-browser.md`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.provider-in-server-component': {
    message: ({ name }) =>
      `<${name}> was rendered in a server component, which cannot pass a client to it. Render it in a file of your own that begins with 'use client'. See kassa/errors/config.provider-in-server-component.md`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.origin-invalid': {
    message: ({ origin }) =>
      `${JSON.stringify(origin)} is not an origin. Write it like https://shop.example.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.user-invalid': {
    message: ({ reason }) =>
      `The shop's user function did not return a user: ${reason}. No request was sent. Fix that function.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.function-slow': {
    message: ({ name, timeoutMs }) =>
      `The shop's ${name} function took longer than ${timeoutMs / 1000} s, so the service was not called. Check what it waits for, or raise timeoutMs of createWalletHandler.`,
    remedy: 'fix-app',
    retryable: true,
  },
  'cart.refused': {
    message: ({ message }) => message,
    remedy: 'contact-shop',
    retryable: false,
  },
  'cart.draft-invalid': {
    message: ({ name, reason }) =>
      `The result of the shop's ${name} function cannot be used: ${reason}. Nothing was ordered or changed. Fix that function.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of a shop's own server. */
export const serverError = createErrors(serverErrors)

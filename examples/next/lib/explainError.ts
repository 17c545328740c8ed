import type { KassaErrorCode } from 'kassa'

const away =
  'The shop’s service does not answer. Your order is safe; this page goes on by itself when it is back.'

// Where they name addresses, the library's messages speak to developers; these speak to buyers.
const sentences: Partial<Record<KassaErrorCode, string>> = {
  'api.unreachable': away,
  'api.timeout': away,
  'api.invalid-answer': away,
  'api.failed': away,
  'api.unavailable': away,
  'api.conflict': 'A payment for this order was already seen, so it cannot be changed any more.',
  'pay.uncertain':
    'Your wallet was asked to pay and no answer came back. Look in it, and pay again only if it shows no payment.',
  'pay.chain-not-configured': 'This shop cannot take payments on the network of this order.',
}

/** Returns a buyer-facing message: what went wrong and what to do. */
export const explainError = ({ code, message }: { code: KassaErrorCode; message: string }): string =>
  sentences[code] ?? message

import { explainChainAddress, type PaymentTerms, readPaymentTerms as readTerms } from 'kassa/engine'
import type { PaymentInput } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import { listTaken } from '#goods/collections/listTaken.js'

/**
 * Reads how a client pays: an enabled chain, a currency that the deployment takes on it, and an address on it.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field.
 */
export const readPaymentTerms = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  input: PaymentInput,
): PaymentTerms =>
  checkInput(() =>
    readTerms(input, {
      enabled: chains.enabled,
      find: (name) => {
        const chain = chains.get(name)
        return (
          chain && {
            currencies: chain.currencies,
            taken: listTaken(config, chain),
            parseAddress: (text) => chain.parseAddress(text),
            explainAddress: (text) => explainChainAddress(text, name),
          }
        )
      },
    }),
  )

// The entry under the `react-server` condition of package.json, which server components load instead of index.ts.
import { serverError } from '../errors/serverError.js'

export * from './index.js'

/**
 * Stands in for the provider in server components, where React would refuse the functions of its client without saying
 * what to do.
 *
 * @throws {@link KassaError} `config.provider-in-server-component`.
 */
export const WalletProvider = (): never => {
  throw serverError('config.provider-in-server-component', { name: 'WalletProvider' })
}

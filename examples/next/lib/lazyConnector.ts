import type { CreateConnectorFn } from 'wagmi'

/**
 * Wraps a connector whose code is large, such as WalletConnect's. Its code is downloaded, and its servers are asked,
 * once the buyer chooses it, or on a page that the buyer comes back to with it connected. By itself, wagmi would do both
 * on every page.
 */
export const lazyConnector =
  (create: CreateConnectorFn): CreateConnectorFn =>
  (config) => {
    const { setup, ...connector } = create(config)
    let isChosen = false
    return {
      ...connector,
      async getProvider(parameters) {
        isChosen ||= (await config.storage?.getItem('recentConnectorId')) === connector.id
        return isChosen ? connector.getProvider.call(this, parameters) : undefined
      },
      async connect(parameters) {
        isChosen = true
        await setup?.call(this)
        // A cast on purpose: `call` forgets the type parameter of the function.
        return connector.connect.call(this, parameters) as never
      },
    }
  }

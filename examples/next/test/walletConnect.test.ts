import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Config, type CreateConnectorFn, createConfig, createStorage, http } from 'wagmi'
import { connect, reconnect } from 'wagmi/actions'
import { baseSepolia } from 'wagmi/chains'
import { walletConnect } from 'wagmi/connectors/walletConnect'
import { lazyConnector } from '../lib/lazyConnector'
import { listConnectors } from '../lib/wagmiConfig'

afterEach(() => vi.restoreAllMocks())

const projectId = '0123456789abcdef0123456789abcdef'

/** WalletConnect's own connector, in which opening the relay's provider is noted and fails. */
const openWalletConnect = () => {
  const opened = vi.fn(async () => Promise.reject(new Error('the relay was asked')))
  const connector: CreateConnectorFn = (config) => ({
    ...walletConnect({ projectId })(config),
    getProvider: opened,
  })
  return { opened, connector }
}

const configure = (connectors: CreateConnectorFn[], kept: Record<string, string> = {}): Config =>
  createConfig({
    chains: [baseSepolia],
    connectors,
    multiInjectedProviderDiscovery: false,
    transports: { [baseSepolia.id]: http() },
    storage: createStorage({
      key: 'shop',
      storage: {
        getItem: (key) => kept[key] ?? null,
        setItem: (key, value) => {
          kept[key] = value
        },
        removeItem: (key) => {
          delete kept[key]
        },
      },
    }),
  })

/** Waits for all that a config starts when it is created. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

describe('listConnectors', () => {
  test('default', () => {
    const { connectors } = configure(listConnectors(projectId))
    expect(connectors.map(({ id, name, type }) => ({ id, name, type }))).toEqual([
      { id: 'walletConnect', name: 'WalletConnect', type: 'walletConnect' },
    ])
  })

  test('behavior: absent in a shop without a project', () => {
    expect([listConnectors(undefined), listConnectors('')]).toEqual([[], []])
  })

  test('behavior: no request before it is chosen', async () => {
    const asked = vi.spyOn(globalThis, 'fetch')
    const sockets = vi.fn()
    vi.stubGlobal('WebSocket', sockets)
    onTestFinished(() => void vi.unstubAllGlobals())
    const config = configure(listConnectors(projectId))
    await settle()
    await reconnect(config)
    expect(asked).not.toHaveBeenCalled()
    expect(sockets).not.toHaveBeenCalled()
  })
})

describe('lazyConnector', () => {
  test('default: wagmi alone opens the provider on every page', async () => {
    const { opened, connector } = openWalletConnect()
    const config = configure([connector])
    await settle()
    await reconnect(config)
    expect(opened).toHaveBeenCalledTimes(2)
  })

  test('behavior: the provider stays closed until the buyer chooses it', async () => {
    const { opened, connector } = openWalletConnect()
    const config = configure([lazyConnector(connector)])
    await settle()
    await reconnect(config)
    expect(opened).not.toHaveBeenCalled()
    const [first] = config.connectors
    if (!first) throw new Error('no connector')
    await expect(connect(config, { connector: first })).rejects.toThrow('the relay was asked')
    expect(opened).toHaveBeenCalled()
  })

  test('behavior: a buyer who comes back is still connected', async () => {
    const { opened, connector } = openWalletConnect()
    await reconnect(configure([lazyConnector(connector)], { 'shop.recentConnectorId': '"walletConnect"' }))
    expect(opened).toHaveBeenCalled()
    const other = openWalletConnect()
    await reconnect(configure([lazyConnector(other.connector)], { 'shop.recentConnectorId': '"injected"' }))
    expect(other.opened).not.toHaveBeenCalled()
  })
})

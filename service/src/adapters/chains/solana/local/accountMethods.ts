import { type Method, readAccountMethod, withContext } from './method.js'
import { commitmentOf, readAddress, readConfig, readList } from './readParams.js'
import { createAccountFilter, showAccount } from './showAccount.js'

/** The methods that show accounts and their lamports. */
export const accountMethods: Readonly<Record<string, Method>> = {
  getMinimumBalanceForRentExemption: ({ cluster }, [size]) => cluster.rentFor(BigInt(Number(size))),
  getBalance: readAccountMethod(({ cluster }, address, config) => {
    const account = cluster.readAccount(address, commitmentOf(config))
    return account.exists ? account.lamports : 0n
  }),
  getAccountInfo: readAccountMethod(({ cluster }, address, config) =>
    showAccount(cluster, cluster.readAccount(address, commitmentOf(config)), config),
  ),
  getMultipleAccounts: (world, [addresses, given]) => {
    const config = readConfig(given)
    const commitment = commitmentOf(config)
    const accounts = readList(addresses).map((each) =>
      world.cluster.readAccount(readAddress(each), commitment),
    )
    const value = accounts.map((account) => showAccount(world.cluster, account, config))
    return withContext(world, commitment, value)
  },
  getProgramAccounts: (world, [program, given]) => {
    const config = readConfig(given)
    const commitment = commitmentOf(config)
    const accounts = world.cluster.listAccounts(readAddress(program), commitment)
    const value = accounts.filter(createAccountFilter(config)).map((account) => ({
      pubkey: account.address,
      account: showAccount(world.cluster, account, config),
    }))
    return config.withContext ? withContext(world, commitment, value) : value
  },
  /** The faucet got all lamports there are. Its own are not in circulation. */
  getSupply: (world, [given]) => {
    const { cluster, identity, supply: total } = world
    const config = readConfig(given)
    const faucet = cluster.readAccount(identity, commitmentOf(config))
    const nonCirculating = faucet.exists ? faucet.lamports : 0n
    const nonCirculatingAccounts = config.excludeNonCirculatingAccountsList ? [] : [identity]
    return withContext(world, commitmentOf(config), {
      total,
      circulating: total - nonCirculating,
      nonCirculating,
      nonCirculatingAccounts,
    })
  },
}

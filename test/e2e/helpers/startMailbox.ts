import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Locale } from 'kassa/schema'
import { startChild } from '../../../scripts/lib/child.mjs'
import { findPort } from '../../../scripts/lib/ports.mjs'
import { storefrontProgram } from '../../../scripts/lib/programs.mjs'
import { openSandbox, urlsOf } from '../../../scripts/lib/sandbox.mjs'
import { waitFor } from '../../../scripts/lib/waitFor.mjs'
import { createSandbox } from '../../../service/src/entry/sandbox/createSandbox.js'
import { enqueueMail, sendMail } from '../../../service/src/notify/mails/sendMail.js'
import { createTestService } from '../../../service/test/helpers/createTestService.js'
import { mintedToken } from '../../../service/test/helpers/mintedToken.js'

/** A sandbox in this process that sends e-mails on demand, and the storefront that shows them. */
export const startMailbox = async (dataDir: string) => {
  const service = await createTestService({ handlers: (deps) => ({ 'mails.send': sendMail(deps) }) })
  const { deps, projectId } = service
  const server = createAdaptorServer({ fetch: createSandbox(deps, projectId, new Map()).fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const known = openSandbox(dataDir)
  const sandbox = {
    ...known,
    ports: { service: port, storefront: await findPort(known.ports.storefront, [port]) },
  }
  const storefront = startChild(storefrontProgram(sandbox, dataDir, false))
  const { storefrontUrl } = urlsOf(sandbox)
  await waitFor(storefrontUrl, storefront)
  return {
    storefrontUrl,
    /** Sends a recipient an e-mail, in a language, about a token that has arrived. */
    write: (recipient: string, locale: Locale, tokenName: string) =>
      deps.db.transaction((tx) =>
        enqueueMail(deps, tx, {
          projectId,
          recipient,
          locale,
          kind: 'nft-minted',
          data: { ...mintedToken, tokenName, imageUrl: '' },
        }),
      ),
    stop: async () => {
      await storefront.stop()
      server.close()
      await service.close()
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { Role } from '#base/scopes.js'
import { invite } from '#identity/console/accounts.js'
import type { TestService } from './createTestService.js'

type Options = { body?: unknown; headers?: Record<string, string> }

/** A browser at the console: it sends its cookie, and what browsers say about the page that asks. */
export type Browser = {
  request(method: string, path: string, options?: Options): Promise<Response>
  /** Sends a request and returns its answer's JSON. */
  read<Answer>(method: string, path: string): Promise<Answer>
  /** The cookie that it has, as `name=value`. */
  cookie(): string | undefined
  setCookie(cookie: string | undefined): void
}

/** Opens a browser, from an address of its own so that no other browser uses up its attempts to sign in. */
export const openBrowser = ({ app }: Pick<TestService, 'app'>): Browser => {
  const address = `198.51.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
  let cookie: string | undefined
  const browser: Browser = {
    cookie: () => cookie,
    read: async <Answer>(method: string, path: string) =>
      (await (await browser.request(method, path)).json()) as Answer,
    setCookie: (next) => {
      cookie = next
    },
    request: async (method, path, { body, headers } = {}) => {
      const response = await app.request(path, {
        method,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': address,
          ...(cookie !== undefined && { cookie }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) cookie = /max-age=0/i.test(set) ? undefined : set.split(';')[0]
      return response
    },
  }
  return browser
}

/** Returns the secret in a link to the console. */
export const secretOf = (link: string): string => new URL(link).hash.slice(1)

type InviteInput = { role?: Role; email?: string; projectId?: string }

/** Creates an invitation and returns its secret. */
export const createInvitation = async (
  { deps, projectId }: Pick<TestService, 'deps' | 'projectId'>,
  { role = 'owner', ...input }: InviteInput = {},
): Promise<string> => secretOf(await invite(deps, { projectId, role, ...input }))

/** Signs in to the console of a test service, with a new account. */
export const openConsole = async (service: TestService, input: InviteInput = {}): Promise<Browser> => {
  const browser = openBrowser(service)
  const token = await createInvitation(service, input)
  const response = await browser.request('POST', '/console/auth/links', { body: { token } })
  if (response.status !== 200) throw new Error(`no session: ${await response.text()}`)
  return browser
}

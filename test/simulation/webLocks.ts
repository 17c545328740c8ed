/** One page's view of the locks it shares with the other pages of its browser. */
export type PageLocks = {
  locks: Pick<LockManager, 'request'>
  /** The page is gone: what it held is free, what it waited for is forgotten. */
  leave(): void
}

type Claim = {
  page: object
  mode: LockMode
  isHeld: boolean
  grant(): void
  lose(reason: DOMException): void
}

/**
 * The Web Locks of one browser, in memory: Node has none before version 24. Requests are granted in the order in
 * which they came; shared ones together, an exclusive one alone.
 *
 * @returns A function that opens a page.
 */
export const createBrowserLocks = (): (() => PageLocks) => {
  const claimsByName = new Map<string, Claim[]>()

  const remove = (name: string, claim: Claim): void => {
    const claims = claimsByName.get(name) ?? []
    const at = claims.indexOf(claim)
    if (at >= 0) claims.splice(at, 1)
    grantNext(name)
  }

  const isFree = (claims: readonly Claim[], claim: Claim): boolean => {
    const before = claims.slice(0, claims.indexOf(claim))
    return before.every(({ mode, isHeld }) => isHeld && mode === 'shared' && claim.mode === 'shared')
  }

  const grantNext = (name: string): void => {
    const claims = claimsByName.get(name) ?? []
    for (const claim of [...claims]) {
      if (claim.isHeld || !isFree(claims, claim)) continue
      claim.isHeld = true
      claim.grant()
    }
  }

  const requestOn = async (
    page: object,
    name: string,
    options: LockOptions,
    callback: (lock: Lock | null) => unknown,
  ): Promise<unknown> => {
    const { mode = 'exclusive', ifAvailable = false, steal = false, signal } = options
    signal?.throwIfAborted()
    // Asking another process takes a moment; nothing is granted in the same breath.
    await Promise.resolve()
    const claims = claimsByName.get(name) ?? []
    claimsByName.set(name, claims)
    return new Promise((resolve, reject) => {
      const claim: Claim = {
        page,
        mode,
        isHeld: false,
        lose: reject,
        grant: () => {
          Promise.resolve({ name, mode })
            .then(callback)
            .then(resolve, reject)
            .finally(() => remove(name, claim))
        },
      }
      if (steal) {
        for (const robbed of claims.filter(({ isHeld }) => isHeld)) {
          claims.splice(claims.indexOf(robbed), 1)
          robbed.lose(new DOMException('the lock was stolen', 'AbortError'))
        }
        claims.unshift(claim)
      } else claims.push(claim)
      if (ifAvailable && !isFree(claims, claim)) {
        claims.pop()
        Promise.resolve(null).then(callback).then(resolve, reject)
        return
      }
      signal?.addEventListener('abort', () => {
        if (claim.isHeld) return
        remove(name, claim)
        reject(signal.reason)
      })
      grantNext(name)
    })
  }

  return () => {
    const page = {}
    let isGone = false
    const request = (name: string, ...[first, second]: [unknown, unknown?]): Promise<unknown> => {
      if (isGone) return new Promise(() => {})
      const [options, callback] = typeof first === 'function' ? [{}, first] : [first, second]
      return requestOn(page, name, options as LockOptions, callback as (lock: Lock | null) => unknown)
    }
    return {
      locks: { request: request as LockManager['request'] },
      leave: () => {
        isGone = true
        for (const [name, claims] of claimsByName) {
          for (const claim of claims.filter((one) => one.page === page)) remove(name, claim)
        }
      },
    }
  }
}

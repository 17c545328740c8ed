/** Where the checkout service is, and the key that only this server knows. */
export type Environment = {
  /** The service as this server reaches it, ending in `/api`. */
  baseUrl: string
  /** The service as a browser reaches it, ending in `/api`. */
  publicBaseUrl: string
  serverKey: string | undefined
}

/** Reads the environment at run time, so that one build serves every deployment. */
export const readEnvironment = (env: Record<string, string | undefined>): Environment => {
  const baseUrl = env.KASSA_BASE_URL ?? 'http://localhost:4000/api'
  return {
    baseUrl,
    publicBaseUrl: env.KASSA_PUBLIC_BASE_URL ?? baseUrl,
    serverKey: env.KASSA_SERVER_KEY,
  }
}

/** The service's address without `/api`, where pictures and the sandbox are served. */
export const getOrigin = (baseUrl: string): string => baseUrl.replace(/\/api\/?$/, '')

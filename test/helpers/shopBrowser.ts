type Handler = (request: Request) => Promise<Response>

/** A browser on a page of a shop: it sends the headers that browsers send, and keeps the cookies it is given. */
export const createShopBrowser = (handle: Handler, shopUrl = 'https://shop.example') => {
  const jar = new Map<string, string>()
  const answers: { method: string; path: string; status: number; headers: Headers; text: string }[] = []
  const visit: typeof fetch = async (input, init) => {
    const url = new URL(String(input), shopUrl)
    const headers = new Headers(init?.headers)
    headers.set('sec-fetch-site', 'same-origin')
    headers.set('origin', shopUrl)
    if (jar.size) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await handle(new Request(url, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.clone().text()
    const method = init?.method ?? 'GET'
    answers.push({ method, path: url.pathname, status: response.status, headers: response.headers, text })
    return response
  }
  return { fetch: visit, jar, answers }
}

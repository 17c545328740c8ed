import { createStore } from './store.js'

/** A module that a page loads after its first paint. */
export type LateModule<Module> = {
  /** Returns the module; undefined until it has loaded. */
  get(): Module | undefined
  /** Whether the last attempt to load it failed. */
  hasFailed(): boolean
  subscribe(listener: () => void): () => void
  /** Resolves with the module once it has loaded, however many attempts that takes. Never rejects. */
  readonly loaded: Promise<Module>
  /** Makes one attempt to load it, or joins the one under way. Never rejects. */
  load(): Promise<void>
  /** Loads it, and tries again after a failure, until it has loaded or the returned function is called. */
  keepLoading(): () => void
}

// The network may be back, or the page's server, which was being deployed.
const retryMs = 5_000

/** Creates the state of a module that is loaded when it is first needed. */
export const createLateModule = <Module>(importModule: () => Promise<Module>): LateModule<Module> => {
  const state = createStore<{ module?: Module; hasFailed: boolean }>({ hasFailed: false })
  let attempt: Promise<void> | undefined
  let arrive: (module: Module) => void
  const loaded = new Promise<Module>((resolve) => {
    arrive = resolve
  })

  const load = (): Promise<void> => {
    attempt ??= importModule().then(
      (module) => {
        state.set({ module, hasFailed: false })
        arrive(module)
      },
      () => {
        attempt = undefined
        state.set({ hasFailed: true })
      },
    )
    return attempt
  }

  return {
    get: () => state.get().module,
    hasFailed: () => state.get().hasFailed,
    subscribe: (listener) => state.subscribe(listener),
    loaded,
    load,
    keepLoading: () => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let isStopped = false
      const look = async (): Promise<void> => {
        clearTimeout(timer)
        await load()
        if (isStopped) return
        clearTimeout(timer)
        if (state.get().hasFailed) timer = setTimeout(look, retryMs)
      }
      void look()
      window.addEventListener('online', look)
      return () => {
        isStopped = true
        clearTimeout(timer)
        window.removeEventListener('online', look)
      }
    },
  }
}

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

const ToastContext = createContext<(message: string) => void>(() => {})

const shownMs = 6_000

/** Returns a function that says what has happened, to the eye and to screen readers. */
export const useToast = (): ((message: string) => void) => useContext(ToastContext)

/** Renders what has happened over the page, for some seconds. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [toast, setToast] = useState({ message: '', count: 0 })
  const say = useMemo(() => (message: string) => setToast(({ count }) => ({ message, count: count + 1 })), [])
  useEffect(() => {
    if (!toast.message) return
    const timer = setTimeout(() => setToast(({ count }) => ({ message: '', count })), shownMs)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ToastContext value={say}>
      {children}
      <output className="toast" aria-live="polite">
        {toast.message}
      </output>
    </ToastContext>
  )
}

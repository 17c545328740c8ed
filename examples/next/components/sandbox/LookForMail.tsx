'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 4_000

/** Looks for new mail while somebody is looking. */
export function LookForMail() {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [router])
  return null
}

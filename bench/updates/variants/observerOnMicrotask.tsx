import { notifyManager } from '@tanstack/react-query'
import { startObserver } from './startObserver.js'

notifyManager.setScheduler(queueMicrotask)
startObserver()

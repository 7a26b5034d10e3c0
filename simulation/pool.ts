import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FleetOptions, FleetResult } from './fleet.ts'

/**
 * Runs fleets on as many threads as there are processors; the results have the order of the jobs. `file`: the worker's
 * script, which gets the options of a fleet in each message and answers with the result.
 */
export async function runAll(file: URL, jobs: readonly FleetOptions[]): Promise<FleetResult[]> {
  const results: FleetResult[] = []
  const left = [...jobs.entries()]
  const work = async () => {
    const worker = new Worker(file)
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, job] = next
        results[index] = await ask(worker, job)
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work))
  return results
}

function ask(worker: Worker, job: FleetOptions): Promise<FleetResult> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.postMessage(job)
  })
}

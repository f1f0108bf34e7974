import { between } from './random.ts'
import voices from './voices.json' with { type: 'json' }

/** Samples a second, one byte each, 128 being silence. */
const RATE = 8000

const spoken = (voice: string[]) => voice.map((digit) => Float32Array.from(Buffer.from(digit, 'base64'), (sample) => sample - 128))
const CHINESE = spoken(voices.zh)
const ENGLISH = spoken(voices.en)

interface Placed {
  samples: Float32Array
  at: number
  /** Samples of the recording for one that is heard. */
  pace: number
  loud: number
}

/** The digits as a WAV, spoken in Chinese or English, each at another pace and loudness, with noise behind them. */
export function speak(digits: string, language: string): Buffer {
  const voice = language.startsWith('zh') ? CHINESE : ENGLISH
  const placed: Placed[] = []
  let length = RATE * 0.4
  for (const digit of digits) {
    const samples = voice[Number(digit)] as Float32Array
    const pace = between(0.88, 1.1)
    placed.push({ samples, at: Math.round(length), pace, loud: between(0.75, 0.95) })
    length += samples.length / pace + RATE * between(0.35, 0.65)
  }
  const mix = new Float32Array(Math.round(length))
  for (let index = 0; index < mix.length; index++) mix[index] = (Math.random() - 0.5) * 14
  for (const { samples, at, pace, loud } of placed) {
    for (let index = 0; index * pace < samples.length - 1 && at + index < mix.length; index++) {
      const whole = Math.floor(index * pace)
      const [sample, next] = [samples[whole] as number, samples[whole + 1] as number]
      mix[at + index] = (mix[at + index] as number) + loud * (sample + (next - sample) * (index * pace - whole))
    }
  }
  return wav(Uint8Array.from(mix, (sample) => Math.max(0, Math.min(255, Math.round(sample) + 128))))
}

function wav(samples: Uint8Array): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

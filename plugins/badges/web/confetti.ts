import canvasConfetti from 'canvas-confetti'

/** Source: specification, section 9. */
const PIECES = 100
const MILLISECONDS = 8000
/** The longest that a piece lives, in frames: the clock ends it before. */
const FRAMES = 2000

/** Lets pieces of paper fall over a canvas, once. @returns ends it at once */
export function confetti(canvas: HTMLCanvasElement): () => void {
  // Without a worker: the site's policy knows none made of text.
  const throwPieces = canvasConfetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true })
  void throwPieces({ particleCount: PIECES, spread: 100, startVelocity: 45, gravity: 0.5, decay: 0.93, ticks: FRAMES, origin: { y: 0.35 } })
  const timer = setTimeout(() => throwPieces.reset(), MILLISECONDS)
  return () => {
    clearTimeout(timer)
    throwPieces.reset()
  }
}

/** Soft sounds, made here: wood and a few notes. Nothing sounds before the first touch. */
import { settings } from "../state/settings.svelte.ts";

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

/** The audio context, once the browser allows one; a page that was not touched has none. */
function audio(): AudioContext | undefined {
  if (!settings.sound || typeof AudioContext === "undefined") return undefined;
  if (!navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** A knock on wood: a breath of noise through a narrow band, with a low body. */
function knock(pitch: number, level: number, after = 0): void {
  const ctx = audio();
  if (!ctx) return;
  if (!noise) {
    noise = ctx.createBuffer(1, ctx.sampleRate * 0.08, ctx.sampleRate);
    const data = noise.getChannelData(0);
    for (let index = 0; index < data.length; index += 1) data[index] = Math.random() * 2 - 1;
  }
  const at = ctx.currentTime + after / 1000;
  const source = ctx.createBufferSource();
  source.buffer = noise;
  const band = ctx.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 3.2;
  source.connect(band).connect(envelope(ctx, at, level, 0.05));
  source.start(at);
  source.stop(at + 0.08);
  tone(pitch / 5.2, level * 0.5, 0.07, after, "sine");
}

function tone(
  pitch: number,
  level: number,
  length: number,
  after = 0,
  type: OscillatorType = "triangle",
): void {
  const ctx = audio();
  if (!ctx) return;
  const at = ctx.currentTime + after / 1000;
  const oscillator = ctx.createOscillator();
  oscillator.type = type;
  oscillator.frequency.value = pitch;
  oscillator.connect(envelope(ctx, at, level, length));
  oscillator.start(at);
  oscillator.stop(at + length + 0.05);
}

function envelope(ctx: AudioContext, at: number, level: number, length: number): GainNode {
  const gain = ctx.createGain();
  const peak = Math.max(0.0002, level * settings.volume);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak, at + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(ctx.destination);
  return gain;
}

export const sound = {
  pick: (): void => knock(1900, 0.22),
  place: (after = 0): void => knock(1250 + Math.random() * 220, 0.5, after),
  draw(): void {
    knock(800, 0.26);
    knock(1150, 0.3, 90);
  },
  done(): void {
    tone(523.25, 0.16, 0.32);
    tone(783.99, 0.14, 0.42, 90);
  },
  turn(): void {
    tone(659.25, 0.14, 0.5);
    tone(880, 0.11, 0.6, 130);
  },
  wrong: (): void => tone(155, 0.24, 0.2, 0, "sine"),
  tick: (): void => knock(2600, 0.16),
  chat: (): void => tone(988, 0.08, 0.16, 0, "sine"),
  win(): void {
    for (const [index, pitch] of [523.25, 659.25, 783.99, 1046.5].entries()) {
      tone(pitch, 0.16, 0.6, index * 120);
    }
  },
  end(): void {
    tone(440, 0.14, 0.5);
    tone(349.23, 0.12, 0.7, 160);
  },
};

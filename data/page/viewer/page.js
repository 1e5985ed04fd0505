// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page: sliders, the field that follows them, curves, responses, and what all of it rests on.
'use strict';

/** Of the field that is shown, what is drawn of it, and how. */
class Settings {
  constructor() {
    this.field = 0;
    this.component = 0; ///< -1: the magnitude
    this.colours = 0; ///< number of the colour map
    this.follows = false; ///< whether the range is that of the field as it is now
    /** @type {[number, number]} in values */ this.range = [0, 1];
    this.isolines = 0;
    this.warp = 0; ///< share of the mesh's size that the largest value moves by
    this.hasArrows = false;
    this.slice = -1; ///< axis; -1: the surface
    this.sliceAt = 0.5;
    this.showsDifference = false;
  }
}

class Page {
  /**
   * @param {any} header
   * @param {ArrayReader} arrays
   * @param {HTMLElement} body
   */
  constructor(header, arrays, body) {
    this.header = header;
    this.body = body;
    /** @type {PageParameter[]} */
    this.parameters = header.parameters.map((/** @type {any} */ spec) => new PageParameter(spec));
    /** @type {PageField[]} */
    this.fields = header.fields.map((/** @type {any} */ spec) => new PageField(spec, arrays));
    /** @type {PageResponse[]} */
    this.responses = header.responses.map((/** @type {any} */ spec) => new PageResponse(spec, arrays));
    this.mesh = header.mesh ? new PageMesh(header.mesh, arrays) : null;
    const drawable = this.fields.filter((_, i) => i !== header.displacement && i !== header.distance);
    this.shownFields = drawable.length > 0 ? drawable : this.fields;
    this.settings = new Settings();
    this.x = Float64Array.from(this.parameters, (parameter, t) => parameter.toUnit(header.place[t]));
    this.camera = new Camera();
    /** What was kept as A, as shown. @type {Float32Array | null} */
    this.kept = null;
    this.probed = -1; ///< point or cell of the field that is shown
    this.probedNode = 0; ///< where it is
    this.work = 0; ///< number of what is being computed at rest: older work ends
    this.isWaiting = false;
    this.playing = 0;
    this.mapWork = 0;
    this.offset = 0; ///< that values lack
    /** @type {Float32Array | null} shown, of each point or cell */ this.values = null;
    /** @type {Patch | null} */ this.patch = null;
    this.patchKey = '';
    /** @type {Float32Array | null} in which the patch was cut */ this.cutPlaces = null;
    /** @type {number[] | null} vertices of the patch */ this.arrowsAt = null;
    /** @type {Float32Array | null} where nodes are */ this.rawPlaces = null;
    /** @type {Float32Array} where the patch's vertices are */ this.placed = new Float32Array();
    /** @type {Patch | null} */ this.placedPatch = null;
    this.tableMap = -1;
    this.table = new Uint8Array();
    /** @type {Picture | null} */ this.picture = null;
    /** @type {{whole: any, value: any, plots: any}[]} */ this.responseBoxes = [];
    /** @type {{range: any, number: any, track: any, whole: any}[]} */ this.sliders = [];
    /** @type {WebGlView | PaintedView | null} */ this.view = null;
    /** @type {HTMLElement[]} */ this.barLabels = [];
    /** @type {Uint8Array | null} that the bar shows */ this.barColours = null;
  }

  get field() {
    return this.shownFields[this.settings.field];
  }

  /** Of each node from the body's surface, below 0 outside; null: all of the mesh is body. */
  get distance() {
    return this.header.distance >= 0 ? this.fields[this.header.distance].values[0] : null;
  }

  // ---- the state -----------------------------------------------------------------------------

  /**
   * @param {number} t
   * @param {number} x in the unit interval
   */
  move(t, x) {
    this.x[t] = x;
    this.showSliders();
    this.redrawSoon();
  }

  redrawSoon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.redraw();
    });
  }

  redraw() {
    this.evaluate();
    this.draw();
    this.answerAtRest();
  }

  // ---- the picture ---------------------------------------------------------------------------

  evaluate() {
    if (!this.mesh || this.shownFields.length === 0) return;
    const { displacement, distance } = this.header;
    for (const index of [displacement, distance]) if (index >= 0) this.fields[index].evaluate(this.x);
    const field = this.field;
    field.evaluate(this.x);
    const values = new Float32Array(field.entities);
    field.shown(this.settings.component, values);
    this.offset = field.shownOffset(this.settings.component);
    this.values = values;
    if (this.settings.showsDifference && this.kept) {
      for (let i = 0; i < values.length; ++i) values[i] -= this.kept[i];
      this.offset = 0;
    }
  }

  /** Where nodes are in truth, without any warp. */
  unwarped() {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const moved = this.header.displacement >= 0 ? this.fields[this.header.displacement] : null;
    if (!moved) return mesh.places;
    const places = Float32Array.from(mesh.places);
    for (let axis = 0; axis < 3; ++axis)
      for (let i = 0; i < mesh.points; ++i)
        places[3 * i + axis] += moved.offset + moved.scale * moved.values[axis][i];
    return places;
  }

  /** Where nodes are drawn: a number warps a flat mesh out of its plane, a vector any mesh along itself. */
  places() {
    const { settings, field } = this;
    const there = this.unwarped();
    if (settings.warp === 0 || field.isOfCells) return there;
    const isNumber = field.components === 1;
    const [low, high] = field.ranges[isNumber ? 0 : field.components];
    const base = isNumber ? low : 0;
    const span = isNumber ? high - low : high;
    if (!(span > 1e-6 * Math.max(Math.abs(low), Math.abs(high)))) return there;
    const size = (settings.warp * this.camera.radius) / span;
    const extents = [0, 1, 2].map((axis) => PageMesh.extent(axis, there)).map(([from, to]) => to - from);
    const across = extents[2] <= Math.min(extents[0], extents[1]) ? 2 : extents.indexOf(Math.min(...extents));
    const places = Float32Array.from(there);
    for (let i = 0; i < field.entities; ++i)
      for (let c = 0; c < Math.min(3, field.components); ++c)
        places[3 * i + (isNumber ? across : c)] += size * (field.offset + field.scale * field.values[c][i] - base);
    return places;
  }

  /**
   * @param {Float32Array} places
   * @returns {Patch}
   */
  patchOf(places) {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const { slice, sliceAt } = this.settings;
    const key = [this.field.isOfCells, slice, slice < 0 ? 0 : sliceAt].join();
    if (this.patchKey !== key || (slice >= 0 && places !== this.cutPlaces)) {
      this.patch = slice < 0 ? mesh.surface(this.field.isOfCells) : mesh.slice(slice, sliceAt, this.field.isOfCells, places);
      this.patchKey = key;
      this.cutPlaces = places;
    }
    return /** @type {Patch} */ (this.patch);
  }

  draw() {
    const { mesh, settings, view, canvas } = this;
    if (!mesh || !view || !canvas || !this.values) {
      this.drawMap();
      return;
    }
    const places = this.places();
    const { distance } = this;
    const raster = this.rasterOf(places, distance);
    const patch = raster ? allNodes : this.patchOf(places);
    if (this.rawPlaces !== places || this.placedPatch !== patch) {
      this.placed = onVertices(patch, places, 3);
      this.rawPlaces = places;
      this.placedPatch = patch;
      this.arrowsAt = null;
    }
    const ofEntities = this.values;
    this.picture = {
      places: this.placed,
      values: patch.cells ? Float32Array.from(patch.cells, (cell) => ofEntities[cell]) : onVertices(patch, ofEntities),
      inside: distance ? onVertices(patch, distance) : null,
      indices: patch.indices,
      corners: patch.corners,
      raster,
      lines: this.lines(patch, places),
      range: this.range(),
      colours: this.colourTable(),
      isolines: this.field.isOfCells ? 0 : settings.isolines,
      isLit: patch.corners === 3 && (!mesh.isFlat || settings.warp !== 0),
    };
    this.fitCanvas();
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    view.draw(this.picture, this.camera, dark ? [0.086, 0.102, 0.129] : [1, 1, 1]);
    this.showBar();
    this.showMark();
    this.showTriad();
  }

  /**
   * The values as a raster, where the nodes stand as evenly as they do in the mesh.
   * @param {Float32Array} places
   * @param {Float32Array | null} inside of each node, below 0 outside of the body
   * @returns {Raster | null}
   */
  rasterOf(places, inside) {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    if (!mesh.image || places !== mesh.places || !this.values) return null;
    if (!(this.view instanceof WebGlView) || Math.max(...mesh.image) > this.view.largestRaster) return null;
    const less = this.field.isOfCells ? 1 : 0;
    const [columns, rows] = mesh.image.map((/** @type {number} */ points) => points - less);
    const corners = [0, mesh.image[0] - 1, mesh.points - mesh.image[0], mesh.points - 1];
    return {
      columns,
      rows,
      ofCells: less === 1,
      values: this.values,
      inside,
      corners: Float32Array.from(corners.flatMap((node) => [...places.subarray(3 * node, 3 * node + 3)])),
    };
  }

  /** The mesh's axes as they lie now, where it is no plane that faces the eye. */
  showTriad() {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const { axes } = this.camera;
    this.triad?.replaceChildren(
      ...[0, 1, 2].flatMap((axis) => {
        const [x, y] = [35 + 22 * axes[axis], 35 - 22 * axes[3 + axis]];
        if (Math.hypot(x - 35, y - 35) < 2) return [];
        const [right, down] = [35 + 1.35 * (x - 35), 35 + 1.35 * (y - 35) + 4];
        return [
          drawn('line', { x1: 35, y1: 35, x2: x, y2: y }),
          drawn('text', { x: right, y: down, 'text-anchor': 'middle' }, [mesh.axes[axis]]),
        ];
      }),
    );
  }

  colourTable() {
    /** @type {{name: string, colours: string}[]} */
    const maps = this.header.colours;
    const map = this.settings.showsDifference ? maps.findIndex(({ name }) => name === 'coolwarm') : this.settings.colours;
    if (this.tableMap !== map) this.table = coloursOf(maps[map].colours);
    this.tableMap = map;
    return this.table;
  }

  /**
   * In shown numbers, without their offset.
   * @returns {[number, number]}
   */
  range() {
    const { settings } = this;
    const values = /** @type {Float32Array} */ (this.values);
    let [low, high] = settings.range;
    low -= this.offset;
    high -= this.offset;
    if (settings.follows || settings.showsDifference) {
      [low, high] = [Infinity, -Infinity];
      const distance = this.field.isOfCells ? null : this.distance;
      for (let i = 0; i < values.length; ++i) {
        if (distance && distance[i] < 0) continue;
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
      }
      if (settings.showsDifference) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
    }
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }

  /**
   * Arrows, and the edges of a mesh of lines.
   * @param {Patch} patch
   * @param {Float32Array} places
   */
  lines(patch, places) {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const { field, settings } = this;
    /** @type {number[]} */ const ends = [];
    if (mesh.hasTriangles)
      for (const node of mesh.lines) ends.push(...places.subarray(3 * node, 3 * node + 3));
    if (settings.slice >= 0) ends.push(...boxEdges(places));
    if (!settings.hasArrows || field.components < 2 || field.isOfCells) return Float32Array.from(ends);
    const vectors = new Float32Array(3 * mesh.points);
    for (let c = 0; c < Math.min(3, field.components); ++c)
      for (let i = 0; i < mesh.points; ++i)
        vectors[3 * i + c] = field.offset + field.scale * field.values[c][i];
    const onPatch = onVertices(patch, vectors, 3);
    const at = this.placed;
    this.arrowsAt ??= spreadVertices(at, 24);
    const largest = Math.max(...field.ranges[field.components].map(Math.abs), 1e-300);
    const scale = (this.camera.radius / 9) / largest;
    for (const vertex of this.arrowsAt) addArrow(ends, at.subarray(3 * vertex, 3 * vertex + 3), onPatch.subarray(3 * vertex, 3 * vertex + 3), scale);
    return Float32Array.from(ends);
  }

  fitCanvas() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * scale)));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  resetCamera() {
    const mesh = /** @type {PageMesh} */ (this.mesh);
    this.camera = new Camera();
    const extents = [0, 1, 2].map((axis) => PageMesh.extent(axis, mesh.places));
    this.camera.centre = extents.map(([low, high]) => (low + high) / 2);
    this.camera.radius = 0.55 * Math.hypot(...extents.map(([low, high]) => high - low)) || 1;
    const thin = extents.map(([low, high]) => high - low);
    if (!mesh.isFlat) {
      this.camera.turn(-0.6, 1);
      this.camera.turn(0.45, 0);
    } else {
      const size = Math.max(...thin);
      if (thin[2] > 1e-6 * size && thin[1] <= 1e-6 * size) this.camera.turn(-Math.PI / 2, 0);
      else if (thin[2] > 1e-6 * size) this.camera.turn(-Math.PI / 2, 1);
      this.camera.radius = Math.max(...thin.map((side) => side / 1.8)) || 1;
    }
  }

  showBar() {
    const { barLabels, barTitle } = this;
    const { range, colours } = /** @type {Picture} */ (this.picture);
    const field = this.field;
    if (!this.barCanvas || !barTitle) return;
    const painter = this.barCanvas.getContext('2d');
    for (let i = 0; this.barColours !== colours && i < 256; ++i) {
      const at = 4 * (255 - i);
      painter.fillStyle = `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})`;
      painter.fillRect(0, i, 1, 1);
    }
    this.barColours = colours;
    barTitle.textContent = (this.settings.showsDifference ? 'minus A: ' : '') + this.componentName() + (field.unit ? ` (${field.unit})` : '');
    barLabels.forEach((label, i) => {
      const share = i / (barLabels.length - 1);
      label.textContent = numberText(this.offset + range[0] + share * (range[1] - range[0]), this.offset ? 9 : 4);
    });
  }

  componentName() {
    const { field, settings } = this;
    if (field.components === 1) return field.name;
    return settings.component < 0 ? `|${field.name}|` : `${field.name} ${componentNames(field.components)[settings.component]}`;
  }

  showMark() {
    const { picture, canvas, mark } = this;
    if (!canvas || !mark) return;
    mark.hidden = this.probed < 0;
    if (this.probed < 0 || !picture) return;
    const places = this.rawPlaces ?? /** @type {PageMesh} */ (this.mesh).places;
    const [x, y] = this.camera.project(places, 3 * this.probedNode, canvas.clientWidth, canvas.clientHeight);
    mark.style.left = `${x}px`;
    mark.style.top = `${y}px`;
  }

  /**
   * @param {number} x pixels of the screen
   * @param {number} y
   */
  probeAt(x, y) {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    const picture = /** @type {Picture} */ (this.picture);
    const box = canvas.getBoundingClientRect();
    const places = this.places();
    const patch = this.patchOf(places);
    const { distance } = this;
    const there = {
      ...picture,
      places: onVertices(patch, places, 3),
      inside: distance ? onVertices(patch, distance) : null,
      indices: patch.indices,
    };
    const vertex = vertexAt(there, this.camera, box.width, box.height, x - box.left, y - box.top);
    this.probed = -1;
    if (vertex >= 0) {
      const nearB = patch.mix !== null && patch.mix[vertex] > 0.5;
      const node = patch.a ? (nearB && patch.b ? patch.b : patch.a)[vertex] : vertex;
      this.probed = patch.cells ? patch.cells[vertex] : node;
      this.probedNode = node;
    }
    this.showMark();
    this.answerAtRest();
  }

  // ---- numbers only: a map over two parameters -------------------------------------------------

  /** Of the response that is chosen, over the parameters that are. */
  async drawMap() {
    const { canvas, mapChoice } = this;
    const response = this.responses[mapChoice?.response.selectedIndex ?? 0];
    if (this.mesh || !canvas || !mapChoice || !response) return;
    const [s, t] = [mapChoice.across.selectedIndex, mapChoice.up.selectedIndex];
    const side = 48;
    const work = ++this.mapWork;
    const breath = new Breath();
    const place = Float64Array.from(this.x);
    const values = new Float64Array(side * side);
    for (let j = 0; j < side; ++j)
      for (let i = 0; i < side; ++i) {
        place[s] = i / (side - 1);
        if (t !== s) place[t] = j / (side - 1);
        values[j * side + i] = response.value(place);
        await breath.take();
        if (work !== this.mapWork) return;
      }
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const painter = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    this.fitCanvas();
    const table = this.colourTable();
    const image = new ImageData(side, side);
    values.forEach((value, i) => {
      const at = 4 * Math.round((255 * (value - low)) / (high - low || 1));
      const to = 4 * ((side - 1 - Math.floor(i / side)) * side + (i % side));
      image.data.set(table.subarray(at, at + 4), to);
    });
    const small = element('canvas', { width: side, height: side });
    small.getContext('2d').putImageData(image, 0, 0);
    painter.drawImage(small, 0, 0, canvas.width, canvas.height);
    painter.strokeStyle = '#fff';
    painter.lineWidth = 3;
    painter.beginPath();
    painter.arc(this.x[s] * canvas.width, (t === s ? 0.5 : 1 - this.x[t]) * canvas.height, 7, 0, 7);
    painter.stroke();
    const [across, up] = [s, t].map((k) => {
      const parameter = this.parameters[k];
      return `${parameter.name} from ${numberText(parameter.low, 4)} to ${numberText(parameter.high, 4)}${unitText(parameter.unit)}`;
    });
    this.corner.textContent = `${response.name} from ${numberText(low)} (dark) to ${numberText(high)}${unitText(response.unit)}; across ${across}, up ${up}`;
  }

  // ---- answers at rest -------------------------------------------------------------------------

  /** What takes longer than a frame, once the sliders rest. */
  answerAtRest() {
    const work = ++this.work;
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(async () => {
      const breath = new Breath();
      this.showAccuracy();
      await this.showProbe(work, breath);
      await this.showResponses(work, breath);
      await this.showTints(work, breath);
      this.showLink();
    }, 120);
  }

  /** Takes the parameters that the page's address names. */
  followLink() {
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const t = this.parameters.findIndex((parameter) => parameter.name === name);
      if (t >= 0 && Number.isFinite(Number(value))) this.x[t] = this.parameters[t].toUnit(Number(value));
    }
  }

  showLink() {
    const link = this.parameters.map((parameter, t) => `${encodeURIComponent(parameter.name)}=${parameter.fromUnit(this.x[t])}`);
    try {
      history.replaceState(null, '', `#${link.join('&')}`);
    } catch {
      // A page inside of another one has no address of its own.
    }
  }

  showAccuracy() {
    const { field, accuracy } = this;
    if (!field || !accuracy) return;
    const error = field.relativeError(this.x);
    const here = error === null || !field.band ? '' : `Here at most ${numberText(100 * error, 2)} % off, for ${field.band.coverage} of places. `;
    accuracy.textContent = `${here}${field.accuracy} ${field.added}`;
  }

  /**
   * value(place) along each parameter, the others as they are; null if other work has begun.
   * @param {(place: Float64Array) => number} value
   * @param {number} work
   * @param {Breath} breath
   */
  async curvesOf(value, work, breath) {
    const samples = 33;
    const curves = [];
    for (let t = 0; t < this.parameters.length; ++t) {
      const place = Float64Array.from(this.x);
      const values = [];
      for (let i = 0; i < samples; ++i) {
        place[t] = i / (samples - 1);
        values.push(value(place));
        await breath.take();
        if (work !== this.work) return null;
      }
      curves.push(values);
    }
    return curves;
  }

  /**
   * @param {number[][]} curves
   * @param {number} present
   * @param {string} title
   */
  plotsOf(curves, present, title) {
    return curves.map((values, t) =>
      curve(this.parameters[t], this.x[t], values, present, title, (x) => this.move(t, x)));
  }

  /**
   * @param {number} work
   * @param {Breath} breath
   */
  async showProbe(work, breath) {
    const { field, probe, probed, settings } = this;
    if (!probe || !field) return;
    if (probed < 0) {
      probe.replaceChildren(element('p', { class: 'quiet', textContent: 'Click the picture to see the value there, and how it depends on each parameter.' }));
      return;
    }
    const value = (/** @type {Float64Array} */ place) => {
      field.surrogate.evaluate(place, field.coefficients);
      return field.valueAt(probed, settings.component);
    };
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const place = Array.from(this.unwarped().subarray(3 * this.probedNode, 3 * this.probedNode + 3));
    const present = value(this.x);
    const curves = await this.curvesOf(value, work, breath);
    if (!curves) return;
    const where = place.map((part, k) => `${mesh.axes[k]} = ${numberText(part + mesh.middle[k])}`).join(', ');
    probe.replaceChildren(
      element('h2', { textContent: `${this.componentName()} = ${numberText(present, field.offset ? 9 : 5)}${unitText(field.unit)} at ${where}` }),
      element('div', { class: 'plots' }, this.plotsOf(curves, present, this.componentName())),
    );
  }

  /**
   * @param {number} work
   * @param {Breath} breath
   */
  async showResponses(work, breath) {
    for (const [k, response] of this.responses.entries()) {
      const present = response.value(this.x);
      const box = this.responseBoxes[k];
      box.value.textContent = `${numberText(present, response.digits)}${unitText(response.unit)}`;
      const curves = await this.curvesOf((place) => response.value(place), work, breath);
      if (!curves) return;
      box.plots.replaceChildren(...this.plotsOf(curves, present, response.name));
    }
  }

  /**
   * How far the field may be off along each slider's track.
   * @param {number} work
   * @param {Breath} breath
   */
  async showTints(work, breath) {
    const { field } = this;
    for (const [t, slider] of this.sliders.entries()) {
      const parts = 32;
      const strengths = [];
      const place = Float64Array.from(this.x);
      for (let i = 0; field && i < parts; ++i) {
        place[t] = (i + 0.5) / parts;
        const error = field.relativeError(place);
        strengths.push(error === null ? 0 : Math.min(1, Math.max(0, Math.log(error / 1e-3) / Math.log(100))));
        await breath.take();
        if (work !== this.work) return;
      }
      this.paintTrack(slider.track, this.parameters[t], strengths);
    }
  }

  /**
   * @param {HTMLCanvasElement} track
   * @param {PageParameter} parameter
   * @param {number[]} strengths
   */
  paintTrack(track, parameter, strengths) {
    track.width = Math.max(1, 2 * track.clientWidth);
    track.height = 16;
    const painter = /** @type {CanvasRenderingContext2D} */ (track.getContext('2d'));
    const style = getComputedStyle(this.body);
    const part = track.width / Math.max(1, strengths.length);
    painter.fillStyle = style.getPropertyValue('--warn');
    strengths.forEach((strength, i) => {
      painter.globalAlpha = strength;
      painter.fillRect(i * part, 8, part + 1, 8);
    });
    painter.globalAlpha = 1;
    painter.fillStyle = style.getPropertyValue('--quiet');
    for (const mark of parameter.marks) painter.fillRect(mark * (track.width - 2), 0, 2, 7);
  }

  // ---- the elements ----------------------------------------------------------------------------

  build() {
    const { header } = this;
    const title = header.title;
    document.title = title;
    this.responseBoxes = this.responses.map((response) => this.responseBox(response));
    const main = element('main', {}, [
      element('header', {}, [
        element('h1', { textContent: title }),
        element('p', { class: 'quiet', textContent: header.subtitle }),
      ]),
      this.stage(),
      element('section', { class: 'controls', 'aria-label': 'Parameters and view' }, [
        ...this.sliderBoxes(),
        ...this.stateButtons(),
        ...(this.field && this.mesh ? this.viewControls() : this.mapControls()),
      ]),
      ...(this.mesh && this.field ? [(this.probe = element('section', { class: 'probe', 'aria-live': 'polite' }))] : []),
      element('section', { class: 'responses' }, this.responseBoxes.map((box) => box.whole)),
      this.restsOn(),
    ]);
    this.body.append(main);
    if (this.mesh && this.field) {
      this.view = viewOn(/** @type {HTMLCanvasElement} */ (this.canvas));
      if (this.view instanceof PaintedView)
        main.prepend(element('p', { id: 'problem', textContent: 'This browser has no WebGL 2, so the picture is painted, slowly and without shading. Another browser, or its setting "hardware acceleration", shows all of it.' }));
      this.resetCamera();
      this.chooseField(0);
    }
    window.addEventListener('beforeprint', () => main.querySelectorAll('details').forEach((/** @type {any} */ part) => (part.open = true)));
    new ResizeObserver(() => this.redrawSoon()).observe(/** @type {HTMLCanvasElement} */ (this.canvas));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redrawSoon());
    this.showSliders();
    this.redraw();
  }

  stage() {
    const isMap = !this.mesh || !this.field;
    this.canvas = isMap
      ? element('canvas', { role: 'img', 'aria-label': 'A map over two parameters: a click goes there' })
      : element('canvas', { tabIndex: 0, role: 'img', 'aria-label': 'The field: drag to turn or move it, wheel or pinch to zoom, click for the value; arrow keys, plus, minus and 0 do the same' });
    this.mark = element('div', { class: 'mark', hidden: true });
    this.corner = element('div', { class: 'corner' });
    if (isMap) return element('section', { class: 'stage' }, [this.canvas, this.corner]);
    this.barCanvas = element('canvas', { width: 1, height: 256 });
    this.barTitle = element('b');
    this.barLabels = [0, 1, 2, 3, 4].map((i) => {
      const label = element('span');
      label.style.top = `calc(22px + (100% - 26px) * ${1 - i / 4})`;
      return label;
    });
    handleCanvas(this, /** @type {HTMLCanvasElement} */ (this.canvas));
    return element('section', { class: 'stage hasbar' }, [
      this.canvas,
      element('div', { class: 'bar' }, [this.barTitle, this.barCanvas, ...this.barLabels]),
      this.mark,
      (this.triad = drawn('svg', { class: 'triad', viewBox: '0 0 70 70', 'aria-hidden': 'true' })),
    ]);
  }

  sliderBoxes() {
    this.sliders = this.parameters.map((parameter, t) => {
      const id = `parameter-${t}`;
      const range = element('input', { type: 'range', id, min: 0, max: 1, step: 'any' });
      const number = element('input', { type: 'number', step: 'any', min: parameter.low, max: parameter.high, 'aria-label': `${parameter.name}, a number` });
      range.addEventListener('input', () => this.move(t, Number(range.value)));
      range.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
        const steps = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1 };
        const step = steps[/** @type {keyof typeof steps} */ (event.key)];
        if (step === undefined) return;
        event.preventDefault();
        this.move(t, Math.min(1, Math.max(0, this.x[t] + step)));
      });
      number.addEventListener('change', () => {
        if (Number.isFinite(number.valueAsNumber)) this.move(t, parameter.toUnit(number.valueAsNumber));
      });
      const track = element('canvas', { title: 'Marks: where runs are. Tint: how far the field may be off, none up to 0.1 %, full from 10 % on' });
      const whole = element('div', { class: 'slider' }, [
        element('label', { for: id, textContent: `${parameter.name}${parameter.unit ? ` (${parameter.unit})` : ''}` }),
        number,
        range,
        track,
      ]);
      return { range, number, track, whole };
    });
    return this.sliders.map((slider) => slider.whole);
  }

  showSliders() {
    this.sliders.forEach((slider, t) => {
      const value = this.parameters[t].fromUnit(this.x[t]);
      slider.range.value = String(this.x[t]);
      slider.range.setAttribute('aria-valuetext', `${numberText(value)}${unitText(this.parameters[t].unit)}`);
      slider.number.value = numberText(value, 6);
    });
  }

  stateButtons() {
    const time = this.parameters.findIndex((parameter) => parameter.isTime);
    const play = element('button', { textContent: 'Play', hidden: time < 0 });
    play.addEventListener('click', () => {
      this.playing = this.playing ? 0 : performance.now();
      play.textContent = this.playing ? 'Stop' : 'Play';
      const begin = this.x[time] >= 1 ? 0 : this.x[time];
      const step = () => {
        if (!this.playing) return;
        this.move(time, Math.min(1, begin + (performance.now() - this.playing) / 6000));
        if (this.x[time] >= 1) play.click();
        else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    const row = [play];
    if (this.mesh && this.field) row.push(...this.comparison());
    const picture = element('button', { textContent: 'Save picture' });
    picture.addEventListener('click', () => {
      this.draw(); // what is drawn is gone once it was shown
      /** @type {HTMLCanvasElement} */ (this.canvas).toBlob((blob) => {
        if (!blob) return;
        const link = element('a', { href: URL.createObjectURL(blob), download: 'picture.png' });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      });
    });
    row.push(picture);
    this.accuracy = element('p', { class: 'accuracy', 'aria-live': 'polite' });
    return [element('div', { class: 'row' }, row), ...(this.field && this.mesh ? [this.accuracy] : [])];
  }

  comparison() {
    const keep = element('button', { textContent: 'Keep as A' });
    const difference = element('input', { type: 'checkbox', disabled: true });
    keep.addEventListener('click', () => {
      const { field, settings } = this;
      const values = new Float32Array(field.entities);
      field.evaluate(this.x);
      field.shown(settings.component, values);
      this.kept = values;
      difference.disabled = false;
      this.redraw();
    });
    difference.addEventListener('change', () => {
      this.settings.showsDifference = difference.checked;
      this.redraw();
    });
    this.forgetKept = () => {
      this.kept = null;
      difference.checked = false;
      difference.disabled = true;
      this.settings.showsDifference = false;
    };
    return [keep, element('label', { title: 'The field minus what was kept' }, [difference, 'minus A'])];
  }

  /** @param {number} index of shownFields */
  chooseField(index) {
    this.settings.field = index;
    const { field, settings } = this;
    settings.component = field.components > 1 ? -1 : 0;
    this.componentChoice.replaceChildren(
      ...(field.components > 1 ? ['magnitude', ...componentNames(field.components)] : [field.name]).map((name) => element('option', { textContent: name })),
    );
    this.componentChoice.parentElement.hidden = field.components === 1;
    this.arrows.parentElement.hidden = field.components < 2 || field.isOfCells;
    this.probed = -1;
    this.chooseComponent();
  }

  chooseComponent() {
    const { field, settings } = this;
    const chosen = this.componentChoice.selectedIndex;
    settings.component = field.components > 1 ? chosen - 1 : 0;
    const [low, high] = field.ranges[settings.component < 0 ? field.components : settings.component];
    settings.range = [low, high];
    this.forgetKept?.();
    this.showRange();
  }

  showRange() {
    const [low, high] = this.settings.range;
    const digits = this.field.offset ? 9 : 5;
    this.lowest.value = numberText(low, digits);
    this.highest.value = numberText(high, digits);
  }

  viewControls() {
    const { settings } = this;
    const mesh = /** @type {PageMesh} */ (this.mesh);
    const redraw = () => this.redraw();
    /** @type {(names: string[], act: (index: number) => void) => any} */
    const choice = (names, act) => {
      const made = element('select', {}, names.map((name) => element('option', { textContent: name })));
      made.addEventListener('change', () => {
        act(made.selectedIndex);
        redraw();
      });
      return made;
    };
    /** @type {(type: string, properties: object, act: (input: any) => void) => any} */
    const input = (type, properties, act) => {
      const made = element('input', { type, ...properties });
      made.addEventListener('input', () => {
        act(made);
        redraw();
      });
      return made;
    };
    /** @type {(text: string, control: any) => any} */
    const labelled = (text, control) => element('label', {}, [text, control]);
    this.componentChoice = choice([], () => this.chooseComponent());
    this.arrows = input('checkbox', {}, (box) => (settings.hasArrows = box.checked));
    this.lowest = input('number', { step: 'any', class: 'narrow' }, (box) => Number.isFinite(box.valueAsNumber) && (settings.range[0] = box.valueAsNumber));
    this.highest = input('number', { step: 'any', class: 'narrow' }, (box) => Number.isFinite(box.valueAsNumber) && (settings.range[1] = box.valueAsNumber));
    const rows = [
      [
        labelled('field', choice(this.shownFields.map((field) => field.name), (index) => this.chooseField(index))),
        labelled('component', this.componentChoice),
      ],
      [
        labelled('colours', choice(this.header.colours.map((/** @type {{name: string}} */ map) => map.name), (index) => (settings.colours = index))),
        labelled('from', this.lowest),
        labelled('to', this.highest),
        labelled('follow', input('checkbox', {}, (box) => (settings.follows = box.checked))),
      ],
      [
        labelled('isolines', choice(['none', '5', '10', '20', '40'], (index) => (settings.isolines = [0, 5, 10, 20, 40][index]))),
        labelled('arrows', this.arrows),
        labelled('warp', input('range', { min: 0, max: 0.5, step: 'any', value: 0, class: 'narrow' }, (box) => (settings.warp = Number(box.value)))),
      ],
    ];
    if (mesh.hasInside && !mesh.isFlat) {
      const at = input('range', { min: 0, max: 1, step: 'any', value: 0.5, disabled: true }, (box) => (settings.sliceAt = Number(box.value)));
      const across = choice(['surface', ...mesh.axes.map((axis) => `slice across ${axis}`)], (index) => {
        settings.slice = index - 1;
        at.disabled = index === 0;
        this.probed = -1;
      });
      rows.push([labelled('show', across), labelled('at', at)]);
    }
    const reset = element('button', { textContent: 'Reset camera' });
    reset.addEventListener('click', () => {
      this.resetCamera();
      this.draw();
    });
    rows.push([reset]);
    return rows.map((row) => element('div', { class: 'row' }, row));
  }

  mapControls() {
    if (this.responses.length === 0) return [];
    const names = this.parameters.map((parameter) => parameter.name);
    const choices = [this.responses.map((response) => response.name), names, names].map((of) => {
      const made = element('select', {}, of.map((name) => element('option', { textContent: name })));
      made.addEventListener('change', () => this.redraw());
      return made;
    });
    const [response, across, up] = choices;
    this.canvas?.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      const box = /** @type {HTMLCanvasElement} */ (this.canvas).getBoundingClientRect();
      const inside = (/** @type {number} */ share) => Math.min(1, Math.max(0, share));
      if (up.selectedIndex !== across.selectedIndex) this.x[up.selectedIndex] = inside(1 - (event.clientY - box.top) / box.height);
      this.move(across.selectedIndex, inside((event.clientX - box.left) / box.width));
    });
    up.selectedIndex = Math.min(1, names.length - 1);
    this.mapChoice = { response, across, up };
    return ['map of', 'across', 'up'].map((text, k) => element('div', { class: 'row' }, [element('label', {}, [text, choices[k]])]));
  }

  /** @param {PageResponse} response */
  responseBox(response) {
    const value = element('b');
    const plots = element('div', { class: 'plots' });
    const whole = element('article', { class: 'response' }, [
      element('h2', { textContent: response.name }),
      element('p', { class: 'quiet', textContent: response.words }),
      element('p', {}, [value, ' ', element('span', { class: 'quiet', textContent: response.error })]),
      plots,
      ...(response.total.length > 0
        ? [element('p', { class: 'quiet', textContent: 'Which parameters its variance comes from: first-order and, lighter, total Sobol indices.' }), influence(this.parameters, response)]
        : []),
    ]);
    return { value, plots, whole };
  }

  restsOn() {
    const { header } = this;
    const rows = header.facts.map((/** @type {string[]} */ cells) => element('tr', {}, cells.map((cell, i) => element(i === 0 ? 'th' : 'td', {}, [
      /^https:\/\/\S+$/.test(cell) ? element('a', { href: cell, rel: 'noopener noreferrer', target: '_blank', textContent: cell }) : cell,
    ]))));
    return element('details', {}, [
      element('summary', { textContent: 'What this page rests on' }),
      element('table', {}, rows),
      ...header.notes.map((/** @type {string} */ note) => element('p', { textContent: note })),
      ...(header.plan ? [element('h2', { textContent: 'The plan' }), element('pre', { textContent: header.plan })] : []),
    ]);
  }
}

/** @param {number} components */
function componentNames(components) {
  return components <= 3 ? ['x', 'y', 'z'].slice(0, components) : Array.from({ length: components }, (_, k) => String(k + 1));
}

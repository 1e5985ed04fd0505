// SPDX-License-Identifier: GPL-3.0-or-later
//
// The picture of a patch: WebGL 2, or where a browser has none a painter on a plain canvas.
'use strict';

/**
 * What is drawn.
 * @typedef {object} Picture
 * @property {Float32Array} places x, y, z of each vertex
 * @property {Float32Array} values of each vertex
 * @property {Float32Array | null} inside of each vertex, below 0 where the body is not
 * @property {Uint32Array} indices
 * @property {1 | 2 | 3} corners of points, lines or triangles
 * @property {Float32Array} lines x, y, z of the ends of lines: arrows, edges
 * @property {[number, number]} range of the colours
 * @property {Uint8Array} colours
 * @property {number} isolines how many; 0: none
 * @property {boolean} isLit
 * @property {Raster | null} raster drawn in place of the triangles
 */

/**
 * Values at the nodes, or in the cells, of a flat grid of even distances.
 * @typedef {object} Raster
 * @property {number} columns values in a row
 * @property {number} rows
 * @property {boolean} ofCells
 * @property {Float32Array} values
 * @property {Float32Array | null} inside of the nodes
 * @property {Float32Array} corners x, y, z of the grid's corners: low, right, upper, the last one
 */

/** Where one looks from, as a parallel projection. */
class Camera {
  constructor() {
    /** Rows: the screen's right, up, and towards the eye. */
    this.axes = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    /** What is in the middle of the screen. */
    this.centre = [0, 0, 0];
    this.radius = 1; ///< that fits into the screen
    this.zoom = 1;
  }

  /**
   * @param {number} t radians
   * @param {number} row the screen's axis that stays
   */
  turn(t, row) {
    const [i, j] = [(row + 1) % 3, (row + 2) % 3];
    const [c, s] = [Math.cos(t), Math.sin(t)];
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [this.axes[3 * i + k], this.axes[3 * j + k]];
      this.axes[3 * i + k] = c * a - s * b;
      this.axes[3 * j + k] = s * a + c * b;
    }
  }

  /**
   * Along the screen, in lengths of the mesh.
   * @param {number} right
   * @param {number} up
   */
  move(right, up) {
    for (let k = 0; k < 3; ++k)
      this.centre[k] -= right * this.axes[k] + up * this.axes[3 + k];
  }

  /**
   * Pixels of a length of the mesh.
   * @param {number} width
   * @param {number} height
   */
  pixels(width, height) {
    return (this.zoom * Math.min(width, height)) / (2 * this.radius);
  }

  /**
   * To the screen: right and down from the upper left in pixels, and towards the eye.
   * @param {ArrayLike<number>} place
   * @param {number} at
   * @param {number} width
   * @param {number} height
   */
  project(place, at, width, height) {
    const pixels = this.pixels(width, height);
    const on = [0, 3, 6].map((row) => {
      let sum = 0;
      for (let k = 0; k < 3; ++k) sum += this.axes[row + k] * (place[at + k] - this.centre[k]);
      return sum;
    });
    return [width / 2 + pixels * on[0], height / 2 - pixels * on[1], on[2]];
  }

  /**
   * Column by column, for WebGL.
   * @param {number} width
   * @param {number} height
   */
  matrix(width, height) {
    const pixels = this.pixels(width, height);
    const scales = [(2 * pixels) / width, (2 * pixels) / height, -0.25 / this.radius];
    const m = new Float32Array(16);
    for (let row = 0; row < 3; ++row) {
      let shift = 0;
      for (let k = 0; k < 3; ++k) {
        m[4 * k + row] = scales[row] * this.axes[3 * row + k];
        shift -= m[4 * k + row] * this.centre[k];
      }
      m[12 + row] = shift;
    }
    m[15] = 1;
    return m;
  }
}

const vertexShader = `#version 300 es
uniform mat4 matrix;
in vec3 place;
in float value;
in float inside;
in vec2 inGrid;
out vec2 cell;
out float shown;
out float body;
out vec3 at;
void main() {
  shown = value;
  body = inside;
  cell = inGrid;
  at = place;
  gl_PointSize = 6.0;
  gl_Position = matrix * vec4(place, 1.0);
}`;

const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D colours;
uniform vec2 range;
uniform float isolines;
uniform bool isLit;
uniform vec3 eye;
uniform vec4 plain;
uniform int raster; // 0: none; 1: of nodes; 2: of cells
uniform highp sampler2D grid;
uniform highp sampler2D gridInside;
uniform bool hasInside;
in vec2 cell;
in float shown;
in float body;
in vec3 at;
out vec4 colour;
float between(highp sampler2D of) {
  ivec2 low = clamp(ivec2(floor(cell)), ivec2(0), textureSize(of, 0) - 2);
  vec2 part = clamp(cell - vec2(low), 0.0, 1.0);
  vec2 rows = mix(vec2(texelFetch(of, low, 0).r, texelFetch(of, low + ivec2(0, 1), 0).r),
                  vec2(texelFetch(of, low + ivec2(1, 0), 0).r, texelFetch(of, low + 1, 0).r), part.x);
  return mix(rows.x, rows.y, part.y);
}
void main() {
  if (plain.a > 0.0) { colour = plain; return; }
  float shown = shown, body = body;
  if (raster == 1) shown = between(grid);
  if (raster == 2) shown = texelFetch(grid, clamp(ivec2(floor(cell)), ivec2(0), textureSize(grid, 0) - 1), 0).r;
  if (raster > 0 && hasInside) body = between(gridInside);
  if (body < 0.0 || isnan(shown)) discard;
  float t = clamp((shown - range.x) / (range.y - range.x), 0.0, 1.0);
  vec3 c = texture(colours, vec2((255.0 * t + 0.5) / 256.0, 0.5)).rgb;
  if (isLit) c *= 0.45 + 0.55 * abs(dot(normalize(cross(dFdx(at), dFdy(at))), eye));
  if (isolines > 0.0) {
    float f = isolines * (shown - range.x) / (range.y - range.x);
    float away = abs(fract(f - 0.5) - 0.5) / max(fwidth(f), 1e-6);
    c = mix(vec3(0.08), c, smoothstep(0.4, 1.4, away));
  }
  colour = vec4(c, 1.0);
}`;

class WebGlView {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {WebGL2RenderingContext} gl
   */
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    /** @type {[number, string][]} */
    const shaders = [
      [gl.VERTEX_SHADER, vertexShader],
      [gl.FRAGMENT_SHADER, fragmentShader],
    ];
    for (const [type, text] of shaders) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(type));
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ['place', 'value', 'inside', 'inGrid'].forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(gl.getProgramInfoLog(program) ?? 'no shader');
    gl.useProgram(program);
    /** @type {Record<string, WebGLUniformLocation | null>} */
    this.uniforms = {};
    for (const name of ['matrix', 'range', 'isolines', 'isLit', 'eye', 'plain', 'raster', 'hasInside'])
      this.uniforms[name] = gl.getUniformLocation(program, name);
    /** @type {(WebGLBuffer | null)[]} places, values, inside, lines, corners, places in the grid */
    this.buffers = [0, 1, 2, 3, 4, 5].map(() => gl.createBuffer());
    this.elements = gl.createBuffer();
    // Colours, the grid's values, and where it is.
    ['colours', 'grid', 'gridInside'].forEach((name, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      const filter = unit === 0 ? gl.LINEAR : gl.NEAREST;
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, side, filter);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
        gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
      gl.uniform1i(gl.getUniformLocation(program, name), unit);
    });
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    /** @type {number} */ this.largestRaster = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.POLYGON_OFFSET_FILL); // lines on a surface are in front of it
    gl.polygonOffset(1, 4);
    /** @type {Picture | null} that the buffers hold */ this.held = null;
  }

  /**
   * @param {number} i attribute and buffer
   * @param {number} size
   * @param {Float32Array | null} numbers null: as they are there
   */
  attribute(i, size, numbers, buffer = i) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[buffer]);
    if (numbers) gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, size, gl.FLOAT, false, 0, 0);
  }

  /**
   * @param {Picture} picture
   * @param {Camera} camera
   * @param {number[]} paper red, green, blue, 0 to 1
   */
  draw(picture, camera, paper) {
    const { gl, uniforms, held } = this;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(paper[0], paper[1], paper[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(uniforms.matrix, false, camera.matrix(width, height));
    gl.uniform2f(uniforms.range, ...picture.range);
    gl.uniform1f(uniforms.isolines, picture.isolines);
    gl.uniform1i(uniforms.isLit, picture.isLit ? 1 : 0);
    gl.uniform3f(uniforms.eye, camera.axes[6], camera.axes[7], camera.axes[8]);
    gl.uniform4f(uniforms.plain, 0, 0, 0, 0);
    gl.activeTexture(gl.TEXTURE0);
    if (held?.colours !== picture.colours)
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, picture.colours);
    if (picture.raster && Math.max(picture.raster.columns, picture.raster.rows) <= this.largestRaster)
      this.drawRaster(picture.raster);
    else this.drawPatch(picture);
    if (picture.lines.length > 0) {
      const ink = paper[0] > 0.5 ? 0.1 : 0.9;
      gl.uniform4f(uniforms.plain, ink, ink, ink, 1);
      this.attribute(0, 3, held?.lines === picture.lines ? null : picture.lines, 3);
      for (const unused of [1, 2, 3]) gl.disableVertexAttribArray(unused);
      gl.drawArrays(gl.LINES, 0, picture.lines.length / 3);
    }
    this.held = { ...picture };
  }

  /** @param {Picture} picture */
  drawPatch(picture) {
    const { gl, held } = this;
    gl.uniform1i(this.uniforms.raster, 0);
    gl.disableVertexAttribArray(3);
    const before = held?.raster ? null : held; // whose buffers are filled
    this.attribute(0, 3, before?.places === picture.places ? null : picture.places);
    this.attribute(1, 1, before?.values === picture.values ? null : picture.values);
    if (picture.inside) {
      this.attribute(2, 1, before?.inside === picture.inside ? null : picture.inside);
    } else {
      gl.disableVertexAttribArray(2);
      gl.vertexAttrib1f(2, 1);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.elements);
    if (before?.indices !== picture.indices)
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, picture.indices, gl.DYNAMIC_DRAW);
    const kinds = { 1: gl.POINTS, 2: gl.LINES, 3: gl.TRIANGLES };
    gl.drawElements(kinds[picture.corners], picture.indices.length, gl.UNSIGNED_INT, 0);
  }

  /** @param {Raster} raster */
  drawRaster(raster) {
    const { gl } = this;
    const { columns, rows, ofCells } = raster;
    const [right, up] = ofCells ? [columns, rows] : [columns - 1, rows - 1];
    gl.uniform1i(this.uniforms.raster, ofCells ? 2 : 1);
    gl.uniform1i(this.uniforms.hasInside, raster.inside ? 1 : 0);
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, columns, rows, 0, gl.RED, gl.FLOAT, raster.values);
    gl.activeTexture(gl.TEXTURE2);
    if (raster.inside)
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, right + 1, up + 1, 0, gl.RED, gl.FLOAT, raster.inside);
    this.attribute(0, 3, raster.corners, 4);
    this.attribute(3, 2, Float32Array.of(0, 0, right, 0, 0, up, right, up), 5);
    for (const unused of [1, 2]) gl.disableVertexAttribArray(unused);
    gl.vertexAttrib1f(2, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

/** Triangles from back to front, each in one colour. */
class PaintedView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.painter = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  }

  /**
   * @param {Picture} picture
   * @param {Camera} camera
   * @param {number[]} paper
   */
  draw(picture, camera, paper) {
    const { painter } = this;
    const { width, height } = this.canvas;
    const { indices, values, inside, range, colours } = picture;
    painter.fillStyle = `rgb(${paper.map((part) => 255 * part).join(' ')})`;
    painter.fillRect(0, 0, width, height);
    /** @type {number[][]} */ const corners = [];
    for (let vertex = 0; vertex < values.length; ++vertex)
      corners.push(camera.project(picture.places, 3 * vertex, width, height));
    const count = picture.corners;
    const order = Uint32Array.from({ length: indices.length / count }, (_, i) => count * i);
    const cornersOf = (/** @type {number} */ first) => Array.from(indices.subarray(first, first + count));
    const depth = (/** @type {number} */ first) =>
      cornersOf(first).reduce((sum, vertex) => sum + corners[vertex][2], 0);
    order.sort((i, j) => depth(i) - depth(j));
    for (const first of order) {
      const here = cornersOf(first);
      if (inside && here.some((vertex) => inside[vertex] < 0)) continue;
      const value = here.reduce((sum, vertex) => sum + values[vertex] / count, 0);
      const share = Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0])));
      const at = 4 * Math.round(255 * share);
      const colour = `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})`;
      painter.fillStyle = colour;
      painter.strokeStyle = colour;
      painter.lineWidth = count === 3 ? 1 : 3;
      painter.beginPath();
      for (const vertex of here) painter.lineTo(corners[vertex][0], corners[vertex][1]);
      if (count === 1) painter.arc(corners[here[0]][0], corners[here[0]][1], 3, 0, 7);
      painter.closePath();
      painter.fill();
      painter.stroke();
    }
    painter.lineWidth = 1;
    painter.strokeStyle = paper[0] > 0.5 ? '#1a1a1a' : '#e6e6e6';
    painter.beginPath();
    for (let i = 0; i < picture.lines.length; i += 6) {
      const [from, to] = [i, i + 3].map((at) => camera.project(picture.lines, at, width, height));
      painter.moveTo(from[0], from[1]);
      painter.lineTo(to[0], to[1]);
    }
    painter.stroke();
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {WebGlView | PaintedView}
 */
function viewOn(canvas) {
  // Smooth edges take four times as long where no GPU draws.
  const trial = document.createElement('canvas').getContext('webgl2');
  const names = trial?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(trial?.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  trial?.getExtension('WEBGL_lose_context')?.loseContext();
  const gl = canvas.getContext('webgl2', { antialias: !/swiftshader|llvmpipe|software/i.test(name) });
  return gl ? new WebGlView(canvas, gl) : new PaintedView(canvas);
}

/**
 * The vertex nearest to a place on the screen, of the triangle that is in front there; -1: nothing.
 * @param {Picture} picture
 * @param {Camera} camera
 * @param {number} width
 * @param {number} height
 * @param {number} x pixels
 * @param {number} y
 */
function vertexAt(picture, camera, width, height, x, y) {
  const { indices, places, inside } = picture;
  const count = places.length / 3;
  const on = new Float32Array(places.length);
  for (let vertex = 0; vertex < count; ++vertex)
    on.set(camera.project(places, 3 * vertex, width, height), 3 * vertex);
  let found = -1;
  let front = -Infinity;
  if (picture.corners < 3) {
    let nearest = 15;
    for (let vertex = 0; vertex < count; ++vertex) {
      const away = Math.hypot(on[3 * vertex] - x, on[3 * vertex + 1] - y);
      if (away < nearest) [nearest, found] = [away, vertex];
    }
    return found;
  }
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const area = (on[b] - on[a]) * (on[c + 1] - on[a + 1]) - (on[c] - on[a]) * (on[b + 1] - on[a + 1]);
    if (area === 0) continue;
    const u = ((x - on[a]) * (on[c + 1] - on[a + 1]) - (on[c] - on[a]) * (y - on[a + 1])) / area;
    const v = ((on[b] - on[a]) * (y - on[a + 1]) - (x - on[a]) * (on[b + 1] - on[a + 1])) / area;
    if (u < 0 || v < 0 || u + v > 1) continue;
    const body = inside
      ? (1 - u - v) * inside[a / 3] + u * inside[b / 3] + v * inside[c / 3]
      : 1;
    const depth = (1 - u - v) * on[a + 2] + u * on[b + 2] + v * on[c + 2];
    if (body < 0 || depth <= front) continue;
    front = depth;
    const shares = [1 - u - v, u, v];
    found = indices[i + shares.indexOf(Math.max(...shares))];
  }
  return found;
}

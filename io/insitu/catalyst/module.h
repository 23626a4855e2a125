/* What the program and the module that knows ParaView say to each other: plain C, so that neither sees a type of the other. */
#ifndef GRANARY_CATALYST_MODULE_H
#define GRANARY_CATALYST_MODULE_H

#define GRANARY_CATALYST_VERSION 4 /* of this file: the module of another version is not used */
#define GRANARY_CATALYST_ENTRY "granary_catalyst"

enum granary_number { GRANARY_FLOAT32, GRANARY_INT64, GRANARY_UINT16, GRANARY_INT32 };
enum granary_cells { GRANARY_VERTICES, GRANARY_LINES, GRANARY_POLYGONS };

/* An array by pointer: read during the call that it is handed to, never freed or changed. */
struct granary_array {
    const char* name;
    enum granary_number number;
    int components;
    const void* data;
};

/* A channel: points, and cells between them. */
struct granary_channel {
    const char* name;
    long long n_points;
    const float* points; /* x y z of each, m */
    int n_point_arrays;
    const struct granary_array* point_arrays;
    enum granary_cells cells;
    long long n_cells;
    const int* ends;    /* n_cells + 1: where the corners of each begin and end; null: each point is a cell */
    const int* corners; /* null with ends */
    int n_cell_arrays;
    const struct granary_array* cell_arrays;
};

/* What scripts may want to know of the whole picture, the same on all ranks; they find it as the Python module granary_facts. */
struct granary_facts {
    double time;                    /* s */
    long long step, n_balls, n_ids; /* n_ids: one more than the largest id so far */
    int n_bands; /* of balls that carry the number of a layer, one more than the largest; 0: none do */
    double fastest, largest_radius; /* m/s, m */
    double low[3], high[3];         /* of walls and balls, m */
    double gravity[3];              /* m/s^2 */
    double mean_force, most_force;  /* of the contacts between balls, N; 0: not known */
    double most_pressure;           /* on a wall, Pa; 0: not known */
    long long n_shapes;             /* kinds of grains that are no balls in this run */
    long long n_bonds, n_broken;    /* whole bonds now, 0: there are none or no script wants them; broken so far */
};

struct granary_catalyst_api {
    int version;
    /* Collective. comm: an MPI_Comm, by address, of the module's own until close. scripts: Python files. live_host: of a ParaView that may
       listen at live_port, or null. Null if something is wrong, with the reason in why, a buffer of room bytes. */
    void* (*open)(void* comm, const char* const* channels, int n_channels, const char* const* scripts, int n_scripts,
                  const char* live_host, int live_port, char* why, int room);
    /* Collective: draws, and sends to the ParaView that listens, if one does; returns when that one does not want a pause. 0: something
       went wrong, with the reason in why. */
    int (*draw)(void* module, const struct granary_facts* facts, const struct granary_channel* channels, int n_channels,
                char* why, int room);
    void (*close)(void* module);
};

typedef const struct granary_catalyst_api* (*granary_catalyst_entry)(void);

#endif

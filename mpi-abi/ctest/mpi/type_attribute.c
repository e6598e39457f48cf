/* Attributes and names of datatypes. */
#include "check.h"

static int copies, deletes, refuse_copy, refuse_delete;
static int key, extra = 12;

static int copied(MPI_Datatype old, int keyval, void *state, void *in, void *out, int *flag) {
    CHECK(keyval == key && state == &extra && old != MPI_DATATYPE_NULL);
    copies++;
    *(void **)out = in;
    *flag = 1;
    return refuse_copy ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int deleted(MPI_Datatype type, int keyval, void *value, void *state) {
    CHECK(keyval == key && state == &extra && value != NULL && type != MPI_DATATYPE_NULL);
    deletes++;
    return refuse_delete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int value_of(MPI_Datatype type) {
    int *value = NULL, flag = -1;
    CHECK(MPI_Type_get_attr(type, key, &value, &flag) == MPI_SUCCESS);
    return flag ? *value : -1;
}

static void kept(void) {
    int one = 1, two = 2;
    MPI_Datatype type, twin;
    MPI_Type_contiguous(2, MPI_INT, &type);
    CHECK(MPI_Type_create_keyval(copied, deleted, &key, &extra) == MPI_SUCCESS);
    CHECK(value_of(type) == -1);
    CHECK(MPI_Type_set_attr(type, key, &one) == MPI_SUCCESS && value_of(type) == 1);
    CHECK(MPI_Type_set_attr(type, key, &two) == MPI_SUCCESS && value_of(type) == 2);
    CHECK(deletes == 1);
    CHECK(MPI_Type_dup(type, &twin) == MPI_SUCCESS && copies == 1 && value_of(twin) == 2);
    CHECK(MPI_Type_delete_attr(twin, key) == MPI_SUCCESS && deletes == 2 && value_of(twin) == -1);
    MPI_Type_free(&twin);
    CHECK(deletes == 2);
    /* A key that is freed lives on in the attributes that use it. */
    int old = key;
    CHECK(MPI_Type_free_keyval(&old) == MPI_SUCCESS && old == MPI_KEYVAL_INVALID);
    MPI_Type_free(&type);
    CHECK(deletes == 3);
}

static void refused(void) {
    int one = 1;
    MPI_Datatype type, twin = MPI_INT;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_create_keyval(copied, deleted, &key, &extra);
    MPI_Type_set_attr(type, key, &one);
    refuse_copy = 1;
    CHECK(MPI_Type_dup(type, &twin) != MPI_SUCCESS && twin == MPI_DATATYPE_NULL);
    refuse_delete = 1;
    CHECK(MPI_Type_delete_attr(type, key) != MPI_SUCCESS && value_of(type) == 1);
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS && type != MPI_DATATYPE_NULL);
    refuse_copy = refuse_delete = 0;
    CHECK(MPI_Type_free(&type) == MPI_SUCCESS);
    MPI_Type_free_keyval(&key);
}

static void predefined_functions(void) {
    int one = 1, flag, *value;
    MPI_Datatype type, twin;
    MPI_Type_contiguous(2, MPI_INT, &type);
    for (int dup = 0; dup < 2; dup++) {
        MPI_Type_create_keyval(dup ? MPI_TYPE_DUP_FN : MPI_TYPE_NULL_COPY_FN,
                               MPI_TYPE_NULL_DELETE_FN, &key, NULL);
        MPI_Type_set_attr(type, key, &one);
        MPI_Type_dup(type, &twin);
        MPI_Type_get_attr(twin, key, &value, &flag);
        CHECK(flag == dup && (!flag || value == &one));
        MPI_Type_free(&twin), MPI_Type_delete_attr(type, key), MPI_Type_free_keyval(&key);
    }
    MPI_Type_free(&type);
    /* Predefined types have attributes as well. */
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Type_set_attr(MPI_INT, key, &one);
    MPI_Type_get_attr(MPI_INT, key, &value, &flag);
    CHECK(flag && value == &one);
    MPI_Type_delete_attr(MPI_INT, key), MPI_Type_free_keyval(&key);
}

static void wrong(void) {
    int comm_key, invalid = MPI_KEYVAL_INVALID, flag, *value;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
    GIVES(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, MPI_KEYVAL_INVALID, &flag));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_get_attr(MPI_INT, MPI_KEYVAL_INVALID, &value, &flag));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_delete_attr(MPI_INT, MPI_KEYVAL_INVALID));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, MPI_TAG_UB, &flag));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, comm_key, &flag));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&invalid));
    GIVES(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&comm_key));
    MPI_Comm_free_keyval(&comm_key);
    GIVES(MPI_ERR_TYPE, MPI_Type_get_attr(MPI_DATATYPE_NULL, 0, &value, &flag));
}

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME], longest[2 * MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Datatype type, twin;
    MPI_Type_contiguous(2, MPI_INT, &type);
    memset(longest, 'x', sizeof longest), longest[sizeof longest - 1] = 0;
    longest[MPI_MAX_OBJECT_NAME - 1] = 0;
    CHECK(MPI_Type_set_name(type, longest) == MPI_SUCCESS);
    CHECK(MPI_Type_get_name(type, name, &length) == MPI_SUCCESS);
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && strcmp(name, longest) == 0);
    MPI_Type_set_name(type, "two");
    MPI_Type_dup(type, &twin);
    MPI_Type_get_name(twin, name, &length);
    CHECK(length == 0 && name[0] == 0);
    MPI_Type_free(&type), MPI_Type_free(&twin);
    GIVES(MPI_ERR_TYPE, MPI_Type_set_name(MPI_DATATYPE_NULL, "none"));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    kept();
    refused();
    predefined_functions();
    wrong();
    names();
    MPI_Finalize();
    return 0;
}

"""Projects and their tasks, in the usual style of a service with Django REST framework.

`spaces/NAME/projects/` and `spaces/NAME/tasks/` are those of one test. The path of the database is in the environment
variable DATABASE. The database is created again."""
import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="only-for-tests",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    LOGGING={
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "loggers": {"django": {"handlers": ["console"], "level": "ERROR", "propagate": False}},
    },
    TIME_ZONE="UTC",
    USE_TZ=True,
    INSTALLED_APPS=["rest_framework", "django_filters", __name__],
    MIDDLEWARE=[
        "django.middleware.http.ConditionalGetMiddleware",
        "django.middleware.common.CommonMiddleware",
    ],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["DATABASE"],
            "CONN_MAX_AGE": None,
            # Concurrent writes wait for each other. No data has to survive a crash.
            "OPTIONS": {
                "timeout": 30,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF",
            },
        }
    },
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_FILTER_BACKENDS": [
            "django_filters.rest_framework.DjangoFilterBackend",
            "rest_framework.filters.OrderingFilter",
        ],
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from rest_framework import pagination, routers, serializers, viewsets


class Project(models.Model):
    space = models.CharField(max_length=100, default="", db_index=True)
    name = models.CharField(max_length=200)
    updated_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="unique_name")]


class Task(models.Model):
    space = models.CharField(max_length=100, default="", db_index=True)
    title = models.CharField(max_length=200)
    done = models.BooleanField(default=False)
    position = models.IntegerField(default=0)
    project = models.ForeignKey(Project, models.CASCADE, null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        ordering = ["id"]


class ProjectSerializer(serializers.ModelSerializer):
    class Meta:
        model = Project
        fields = ["id", "name", "updated_at"]

    def validate_name(self, name):
        space = self.context["view"].kwargs.get("space", "")
        others = Project.objects.filter(space=space, name=name).exclude(pk=self.instance and self.instance.pk)
        if others.exists():
            raise serializers.ValidationError("project with this name already exists.", "unique")
        return name


class TaskSerializer(serializers.ModelSerializer):
    class Meta:
        model = Task
        fields = ["id", "title", "done", "position", "project", "updated_at"]


class Pages(pagination.PageNumberPagination):
    page_size = 3
    page_size_query_param = "page_size"
    max_page_size = 1000


class Offsets(pagination.LimitOffsetPagination):
    default_limit = 3
    max_limit = 1000


class Cursors(pagination.CursorPagination):
    ordering = ("updated_at", "id")
    page_size = 3
    page_size_query_param = "page_size"
    max_page_size = 1000


class InSpace(viewsets.ModelViewSet):
    """The rows of the space that the URL names; all rows without one."""

    def get_queryset(self):
        rows = super().get_queryset()
        return rows.filter(space=self.kwargs["space"]) if "space" in self.kwargs else rows

    def perform_create(self, serializer):
        serializer.save(space=self.kwargs.get("space", ""))


class Projects(InSpace):
    queryset = Project.objects.all()
    serializer_class = ProjectSerializer
    pagination_class = Pages
    filterset_fields = {"updated_at": ["gt", "gte"]}


class Tasks(InSpace):
    queryset = Task.objects.all()
    serializer_class = TaskSerializer
    pagination_class = Pages
    filterset_fields = {"updated_at": ["gt", "gte"], "project": ["exact"], "done": ["exact"]}


class TasksByOffset(Tasks):
    pagination_class = Offsets


class TasksByCursor(Tasks):
    pagination_class = Cursors


def make_tables():
    with connection.schema_editor() as editor:
        editor.create_model(Project)
        editor.create_model(Task)


@csrf_exempt
@require_POST
def reset(request):
    """Creates the tables again, so that identifiers start at 1."""
    with connection.schema_editor() as editor:
        editor.delete_model(Task)
        editor.delete_model(Project)
    make_tables()
    return HttpResponse(status=204)


router = routers.SimpleRouter()
router.register("projects", Projects)
router.register("tasks", Tasks)
router.register("tasks-offset", TasksByOffset, "tasks-offset")
router.register("tasks-cursor", TasksByCursor, "tasks-cursor")
urlpatterns = [
    path("_reset", reset),
    path("spaces/<space>/", include(router.urls)),
    path("", include(router.urls)),
]

make_tables()
application = get_wsgi_application()
